import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import { styled } from '@mui/material/styles'
import { useSearchParams } from 'react-router-dom'
import { QUESTION_STATUSES } from '../../../contract/endpoints/deal/questions.ts'
import { useMe } from '../../shared/session.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { Choice } from '../../ui/fields/choice.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { withValue } from '../../ui/with-value.ts'
import { type Settings, STATUSES, type View } from './questions.ts'
import { ViewChoice } from './views/view-choice.tsx'

interface QuestionFiltersProps {
  settings: Settings
  /** Title of the document that the list is narrowed to, if it is known. */
  file: string | undefined
  view: View
  onView: (view: View) => void
}

/** Narrows the list; a change begins at its first page. */
export function QuestionFilters({ settings, file, view, onView }: QuestionFiltersProps) {
  const { admin } = useWorkspace()
  const me = useMe()
  const narrow = useMediaQuery('(max-width: 599.95px)')
  const [search, setSearch] = useSearchParams()
  const value = (name: string) => search.get(name) ?? ''
  const put = (name: string) => (text: string) =>
    setSearch((before) => withValue('after', undefined)(withValue(name, text || undefined)(before)), { replace: true })
  const shown = QUESTION_STATUSES.filter((status) => admin || (status !== 'draft' && status !== 'to_approve'))
  return (
    <Row role="group" aria-label={t`Filters`}>
      <ViewChoice admin={admin} passed={settings.passed} value={view} onChange={onView} />
      {view !== 'passed' && (
        <SearchField
          value={value('q')}
          onChange={put('q')}
          label={t`Find in questions`}
          width={narrow ? '100%' : 220}
        />
      )}
      {view === 'list' && (
        <Choice
          label={t`Status`}
          none={t`All`}
          value={value('status')}
          options={shown.map((status) => [status, i18n._(STATUSES[status].label)])}
          onChange={put('status')}
        />
      )}
      {settings.categories.length > 0 && view !== 'passed' && (
        <Choice
          label={t`Category`}
          none={t`All categories`}
          value={value('category')}
          options={settings.categories.map((each) => [each, each])}
          onChange={put('category')}
        />
      )}
      {admin && (view === 'list' || view === 'board') && (
        <Choice
          label={t`Assigned to`}
          none={t`Everybody`}
          value={value('assignee')}
          options={[
            [String(me.id), t({ message: 'Me', context: 'assigned to' })],
            ...settings.admins
              .filter(({ id }) => id !== me.id)
              .map(({ id, name }): [string, string] => [String(id), name]),
          ]}
          onChange={put('assignee')}
        />
      )}
      {settings.groups.length > 1 && (view === 'list' || view === 'board') && (
        <Choice
          label={t`Group`}
          none={t`All groups`}
          value={value('group')}
          options={settings.groups.map(({ group_id, name }) => [String(group_id), name])}
          onChange={put('group')}
        />
      )}
      {admin && search.has('awaits') && (view === 'list' || view === 'board') && (
        <Chip
          label={value('awaits') === String(me.id) ? t`Await you` : t`Await one person`}
          onDelete={() => put('awaits')('')}
        />
      )}
      {search.has('file') && (view === 'list' || view === 'board') && (
        <Chip label={file ? t`On ${file}` : t`On one document`} onDelete={() => put('file')('')} />
      )}
    </Row>
  )
}

const Row = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 12,
  padding: '6px 16px 12px',
  '& > .MuiTextField-root': { width: 170 },
  [theme.breakpoints.down('sm')]: {
    '& > .MuiTextField-root': { flex: '1 1 140px', width: 'auto' },
  },
}))
