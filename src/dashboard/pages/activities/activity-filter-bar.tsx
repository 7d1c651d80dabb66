import { i18n, type MessageDescriptor } from '@lingui/core'
import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { lazy, Suspense } from 'react'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { nameOf } from '../../shared/people.ts'
import { naturally } from '../../ui/words/format.ts'
import { Choice } from '../../ui/fields/choice.tsx'
import { type Filter, filtersOf, SUBJECTS, VERBS } from './activity-filters.ts'
import { DayRange } from './days/day-range.tsx'
import { LastDays } from './days/last-days.tsx'
import type { SubjectType } from './subject-field.tsx'
import { SubjectFilter } from './subject-filter.tsx'

// Loaded only where a kind of subject is chosen.
const SubjectField = lazy(async () => ({ default: (await import('./subject-field.tsx')).SubjectField }))

interface ActivityFilterBarProps {
  workspaceId: number
  /** A user who is not a workspace admin sees only their own activities. */
  admin: boolean
  values: URLSearchParams
  filtered: boolean
  onChange: (filter: Filter, value: string) => void
  /** Sets the first and the last day, "" for none. */
  onDays: (from: string, to: string) => void
  onClear: () => void
}

export function ActivityFilterBar({
  workspaceId,
  admin,
  values,
  filtered,
  onChange,
  onDays,
  onClear,
}: ActivityFilterBarProps) {
  const value = (filter: Filter) => values.get(filter) ?? ''
  const { from = '', to = '' } = filtersOf(values)
  return (
    <Bar role="search" aria-label={t`Filter activity`}>
      {admin && (
        <PersonFilter workspaceId={workspaceId} value={value('user_id')} onChange={(id) => onChange('user_id', id)} />
      )}
      <Choice
        label={t`Action`}
        none={t`Everything`}
        value={value('verb')}
        options={optionsOf(VERBS)}
        onChange={(verb) => onChange('verb', verb)}
      />
      <Choice
        label={t`About`}
        none={t`Anything`}
        value={value('subject_type')}
        options={optionsOf(SUBJECTS)}
        onChange={(subject) => onChange('subject_type', subject)}
      />
      {value('subject_id') === '' && isFound(value('subject_type'), admin) && (
        <Suspense>
          <SubjectField
            key={value('subject_type')}
            workspaceId={workspaceId}
            type={value('subject_type') as SubjectType}
            onPick={(id) => onChange('subject_id', String(id))}
          />
        </Suspense>
      )}
      {value('subject_id') !== '' && (
        <SubjectFilter
          workspaceId={workspaceId}
          admin={admin}
          type={value('subject_type')}
          id={Number(value('subject_id'))}
          onClear={() => onChange('subject_id', '')}
        />
      )}
      <LastDays from={from} to={to} onChange={(from) => onDays(from, '')} />
      <DayRange from={from} to={to} onChange={onDays} />
      {filtered && <Button onClick={onClear} sx={{ justifySelf: 'start' }}>{t`Clear`}</Button>}
    </Bar>
  )
}

/** Members change no groups. */
const isFound = (type: string, admin: boolean) => type === 'Asset' || type === 'Folder' || (admin && type === 'Group')

const optionsOf = (labels: Record<string, MessageDescriptor>) =>
  Object.entries(labels).map(([value, label]): [string, string] => [value, i18n._(label)])

function PersonFilter({
  workspaceId,
  value,
  onChange,
}: {
  workspaceId: number
  value: string
  onChange: (id: string) => void
}) {
  const { data: people = [] } = useReading(read(api.workspaces.listMembers, { params: { id: workspaceId } }))
  const options = people.map(({ user }): [string, string] => [String(user.id), nameOf(user)])
  // A user who has left is still in the feed, and the address may still name that user.
  if (value !== '' && !options.some(([id]) => id === value)) options.push([value, t`Someone who has left`])
  const sorted = options.toSorted(([, a], [, b]) => naturally(a, b))
  return <Choice label={t`Person`} none={t`Everybody`} value={value} options={sorted} onChange={onChange} />
}

const Bar = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))',
  alignItems: 'center',
  gap: 10,
  maxWidth: 1180,
  '.MuiInputBase-root': { height: 34 },
  padding: '4px 16px 14px',
})
