import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { Call } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { Choice } from '../../ui/fields/choice.tsx'
import type { Settings } from './questions.ts'

export type Route = NonNullable<NonNullable<Call<typeof api.questions.updateSettings>['body']>['routes']>[number]
export type RouteChanges = Partial<Omit<Route, 'category'>>

const DAYS = [1, 2, 3, 5, 7, 10, 14, 30]

interface RouteFieldsProps {
  /** Of each category. */
  routes: readonly Route[]
  admins: Settings['admins']
  onChange: (category: string, changes: RouteChanges) => void
}

/** Who answers and approves the questions of each category, and until when. */
export function RouteFields({ routes, admins, onChange }: RouteFieldsProps) {
  if (routes.length === 0) return null
  const people = admins.map(({ id, name }): [string, string] => [String(id), name])
  return (
    <Routes aria-label={t`Who answers`}>
      <Typography variant="body2" color="textSecondary">
        <Trans>
          Questions that are asked or imported with a category begin with these people and this due date. Askers never
          see them.
        </Trans>
      </Typography>
      {routes.map(({ category, assignee_id, approver_id, days }) => {
        const change = (changes: RouteChanges) => onChange(category, changes)
        return (
          <fieldset key={category}>
            <legend>{category}</legend>
            <Choice
              label={t({ message: 'Answers', context: 'who does it' })}
              none={t`Nobody`}
              value={String(assignee_id ?? '')}
              options={people}
              onChange={(id) => change({ assignee_id: Number(id) || null })}
            />
            <Choice
              label={t`Approves`}
              none={t`Nobody`}
              value={String(approver_id ?? '')}
              options={people}
              onChange={(id) => change({ approver_id: Number(id) || null })}
            />
            <Choice
              label={t`Due`}
              none={t`No date`}
              value={String(days ?? '')}
              options={[...new Set([...DAYS, ...(days ? [days] : [])])]
                .toSorted((a, b) => a - b)
                .map((each) => [String(each), plural(each, { one: 'after # day', other: 'after # days' })])}
              onChange={(chosen) => change({ days: Number(chosen) || null })}
            />
          </fieldset>
        )
      })}
    </Routes>
  )
}

const Routes = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: 12,
  '& > fieldset': {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr) 140px',
    gap: 12,
    minWidth: 0,
    margin: 0,
    padding: 0,
    border: 0,
  },
  '& > fieldset > legend': { padding: '0 0 10px', fontSize: '0.875rem', fontWeight: 600, overflowWrap: 'anywhere' },
  [theme.breakpoints.down('sm')]: { '& > fieldset': { gridTemplateColumns: 'minmax(0, 1fr)' } },
}))
