import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { MessagesSquare, Plus } from 'lucide-react'
import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { prefetch, useRead } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { AskDialog } from '../../shared/asking/ask-dialog.tsx'
import { useWorkspace } from '../../shared/workspace.ts'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { useMayLeave } from '../../ui/dialogs/use-unsaved-changes.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { withValue } from '../../ui/with-value.ts'
import { FaqView } from './faq/faq-view.tsx'
import { QuestionFilters } from './question-filters.tsx'
import { QuestionList } from './question-list.tsx'
import { QuestionTools } from './question-tools.tsx'
import { PassedPanel } from './experts/passed-panel.tsx'
import { PassedView } from './experts/passed-view.tsx'
import { again, filtersIn, firstView, listQuery, type Page, settingsQuery, type View, viewIn } from './questions.ts'
import { QuestionThread } from './thread/question-thread.tsx'
import { Board } from './views/board.tsx'

export function loader({ params, request }: LoaderFunctionArgs) {
  const id = idOf(params['workspaceId'])
  return prefetch(settingsQuery(id), listQuery(id, filtersIn(new URL(request.url).searchParams)))
}

/** Questions in the order of work, with the chosen one beside them. The address holds the filters and the choice. */
export function QuestionsPage() {
  const workspace = useWorkspace()
  const [search, setSearch] = useSearchParams()
  const settings = useRead(settingsQuery(workspace.id))
  const filters = filtersIn(search, workspace.admin)
  const page = useRead({ ...listQuery(workspace.id, filters), ...again(workspace) })
  const view = viewIn(search, workspace.admin, settings)
  /** Each view begins at its first page, and only the list is narrowed to a state. */
  const show = (next: View, status?: string) =>
    setSearch(
      (before) =>
        [
          withValue('view', next === firstView(settings) ? undefined : next),
          withValue('status', status),
          withValue('after', undefined),
        ].reduce((search, change) => change(search), before),
      { replace: true },
    )
  const put = (name: string, value: string | undefined) => setSearch(withValue(name, value), { replace: true })
  const passed = search.get('passed')
  const chosen = search.get('question')
  const mayLeave = useMayLeave()
  /** One panel at a time: a question as its askers and admins see it, or as it was passed to an expert. */
  const choose = async (name: 'question' | 'passed', id?: string) => {
    if (!(await mayLeave())) return
    const other = name === 'question' ? 'passed' : 'question'
    setSearch((before) => withValue(other, undefined)(withValue(name, id)(before)), { replace: true })
  }
  const onChoose = (id: string) => void choose('question', id)
  const mayAsk = workspace.admin ? false : settings.groups.length > 0
  const isUsedUp = settings.groups.every(({ used, most }) => used >= most)
  return (
    <Columns data-chosen={chosen !== null || passed !== null}>
      <div className="list">
        <PageHeader
          title={t`Questions`}
          text={view === 'passed' ? t`Questions with which your help is asked for` : summaryOf(page)}
        >
          {view !== 'passed' && <QuestionTools settings={settings} />}
          {mayAsk && (
            <>
              {isUsedUp && (
                <Typography
                  variant="caption"
                  color="textSecondary"
                >{t`No more questions may be asked now.`}</Typography>
              )}
              <Button
                variant="contained"
                disabled={isUsedUp}
                startIcon={<Plus size={16} />}
                onClick={() => put('ask', '')}
              >
                <Trans>Ask</Trans>
              </Button>
            </>
          )}
        </PageHeader>
        <QuestionFilters settings={settings} file={page.questions[0]?.place?.title} view={view} onView={show} />
        {view === 'board' && (
          <Board
            {...{ filters, chosen }}
            counts={page.counts}
            onChoose={onChoose}
            onAll={(status) => show('list', status)}
          />
        )}
        {view === 'passed' && (
          <PassedView
            chosen={passed}
            after={search.get('after') ?? undefined}
            onChoose={(id) => void choose('passed', id)}
            onTurn={(after) => put('after', after)}
          />
        )}
        {view === 'faq' && <FaqView filters={filters} onChoose={onChoose} onTurn={(after) => put('after', after)} />}
        {view === 'list' && (
          <>
            <Sheet>
              {page.questions.length > 0 ? (
                <QuestionList page={page} admin={workspace.admin} chosen={chosen} onChoose={onChoose} />
              ) : (
                <Nothing
                  filtered={[...search.keys()].some(
                    (name) => !['question', 'passed', 'view', 'ask', 'on'].includes(name),
                  )}
                />
              )}
            </Sheet>
            <Turn page={page} after={search.get('after')} onTurn={(after) => put('after', after)} />
          </>
        )}
      </div>
      {chosen !== null && <QuestionThread key={chosen} id={chosen} onClose={() => void choose('question')} />}
      {chosen === null && passed !== null && (
        <PassedPanel key={passed} id={passed} onClose={() => void choose('passed')} />
      )}
      {mayAsk && search.has('ask') && (
        <AskDialog
          settings={settings}
          on={search.has('on') ? { fileId: idOf(search.get('on') ?? undefined) } : undefined}
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

export const Columns = styled('div')(({ theme }) => ({
  display: 'flex',
  height: '100%',
  minHeight: 0,
  '& > .list': { flex: 1, minWidth: 0, overflowY: 'auto', containerType: 'inline-size' },
  [theme.breakpoints.down('lg')]: { '&[data-chosen=true] > .list': { display: 'none' } },
}))

export { QuestionsPage as Component }
