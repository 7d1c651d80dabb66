import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { MessagesSquare, Plus, Tags } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { prefetch, useRead } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { useMayLeave } from '../../ui/dialogs/use-unsaved-changes.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { withValue } from '../../ui/with-value.ts'
import { AskDialog } from './ask-dialog.tsx'
import { CategoriesDialog } from './categories-dialog.tsx'
import { QuestionFilters } from './question-filters.tsx'
import { QuestionList } from './question-list.tsx'
import { filtersIn, listQuery, type Page, settingsQuery } from './questions.ts'
import { QuestionThread } from './thread/question-thread.tsx'

export function loader({ params, request }: LoaderFunctionArgs) {
  const id = idOf(params['workspaceId'])
  return prefetch(settingsQuery(id), listQuery(id, filtersIn(new URL(request.url).searchParams)))
}

/** Questions in the order of work, with the chosen one beside them. The address holds the filters and the choice. */
export function QuestionsPage() {
  const workspace = useWorkspace()
  const [search, setSearch] = useSearchParams()
  const settings = useRead(settingsQuery(workspace.id))
  const page = useRead(listQuery(workspace.id, filtersIn(search)))
  const put = (name: string, value: string | undefined) => setSearch(withValue(name, value), { replace: true })
  const chosen = search.get('question')
  const mayLeave = useMayLeave()
  const choose = async (id?: string) => ((await mayLeave()) ? put('question', id) : undefined)
  const mayAsk = workspace.admin ? false : settings.groups.length > 0
  return (
    <Columns data-chosen={chosen !== null}>
      <div className="list">
        <PageHeader title={t`Questions`} text={summaryOf(page)}>
          {workspace.admin && <Categories categories={settings.categories} />}
          {mayAsk && (
            <Button variant="contained" startIcon={<Plus size={16} />} onClick={() => put('ask', '')}>
              <Trans>Ask</Trans>
            </Button>
          )}
        </PageHeader>
        <QuestionFilters settings={settings} />
        <Sheet>
          {page.questions.length > 0 ? (
            <QuestionList page={page} chosen={chosen} onChoose={(id) => void choose(id)} />
          ) : (
            <Nothing filtered={[...search.keys()].some((name) => name !== 'question' && name !== 'ask')} />
          )}
        </Sheet>
        <Turn page={page} after={search.get('after')} onTurn={(after) => put('after', after)} />
      </div>
      {chosen !== null && <QuestionThread key={chosen} id={chosen} onClose={() => void choose()} />}
      {mayAsk && search.has('ask') && (
        <AskDialog
          settings={settings}
          fileId={idOf(search.get('on') ?? undefined)}
          onClose={() => setSearch(withoutAsking, { replace: true })}
        />
      )}
    </Columns>
  )
}

const withoutAsking = (before: URLSearchParams) => withValue('on', undefined)(withValue('ask', undefined)(before))

function summaryOf({ counts }: Page): string {
  const { overdue, answered } = counts
  const unanswered = counts.to_approve + counts.open + counts.draft
  const parts = [
    plural(unanswered, { one: '# unanswered', other: '# unanswered' }),
    overdue > 0 && plural(overdue, { one: '# overdue', other: '# overdue' }),
    plural(answered, { one: '# answered', other: '# answered' }),
  ]
  return parts.filter(Boolean).join(' · ')
}

function Categories({ categories }: { categories: string[] }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="outlined" startIcon={<Tags size={16} />} onClick={() => setOpen(true)}>
        <Trans>Categories</Trans>
      </Button>
      {open && <CategoriesDialog categories={categories} onClose={() => setOpen(false)} />}
    </>
  )
}

function Nothing({ filtered }: { filtered: boolean }) {
  const { admin } = useWorkspace()
  if (filtered) return <EmptyState icon={MessagesSquare} title={t`No question matches`} />
  const text = admin
    ? t`Groups ask once you allow it on their page. A group sees its own questions and what you publish to it.`
    : t`Questions of your group and answers for you appear here.`
  return <EmptyState icon={MessagesSquare} title={t`There are no questions yet`} text={text} />
}

interface TurnProps {
  page: Page
  after: string | null
  onTurn: (after: string | undefined) => void
}

function Turn({ page, after, onTurn }: TurnProps) {
  return (
    <Box sx={{ display: 'flex', gap: 1, px: 2, pb: 2 }}>
      {after !== null && (
        <Button onClick={() => onTurn(undefined)}>
          <Trans>First questions</Trans>
        </Button>
      )}
      {page.next !== null && (
        <Button onClick={() => onTurn(page.next ?? undefined)}>
          <Trans>More questions</Trans>
        </Button>
      )}
    </Box>
  )
}

const Columns = styled('div')(({ theme }) => ({
  display: 'flex',
  height: '100%',
  minHeight: 0,
  '& > .list': { flex: 1, minWidth: 0, overflowY: 'auto', containerType: 'inline-size' },
  [theme.breakpoints.down('lg')]: { '&[data-chosen=true] > .list': { display: 'none' } },
}))

export { QuestionsPage as Component }
