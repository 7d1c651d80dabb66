import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { ArchiveRestore, FileSearch } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { ApiFailure, messageOf } from '../../api/failures.ts'
import { prefetch, useReading } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { useWorkspaceId } from '../../shared/workspace.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { Turner } from '../../ui/states/turner.tsx'
import { FailureReport } from '../../shared/listing/failure-report.tsx'
import { chooseAll, clear, NOTHING, orderOf, retain, type Selection } from '../../shared/listing/selection.ts'
import { useScreen } from '../../shared/listing/use-screen.ts'
import { MOST_LISTED, trashQuery, type Trash, type TrashItem } from './trash.ts'
import { TrashBar } from './trash-bar.tsx'
import { TrashFilter } from './trash-filter.tsx'
import { LoadingTrash, TrashTable } from './trash-table.tsx'
import { viewOf } from './trash-view.ts'
import { useRestore } from './use-restore.ts'
import { useTrashOffers } from './use-trash-offers.ts'
import { useTrashUrl } from './use-trash-url.ts'

export const loader = ({ params }: LoaderFunctionArgs) => prefetch(trashQuery(idOf(params['workspaceId'])))

const PER_PAGE = 50

/** Lists the deletions of the last 30 days, which can be restored. */
export function TrashPage() {
  const workspaceId = useWorkspaceId()
  return <TrashOf key={workspaceId} workspaceId={workspaceId} />
}

export { TrashPage as Component }

function TrashOf({ workspaceId }: { workspaceId: number }) {
  const { data, error, refetch } = useReading(trashQuery(workspaceId))
  const narrow = useScreen().treeFolded
  // A user who may not read the list may not see the page either.
  if (error instanceof ApiFailure && error.code === 403) throw error
  const requestId = error instanceof ApiFailure ? error.requestId : undefined
  return (
    <>
      <PageHeader title={t`Recently deleted`} text={t`Kept for 30 days, then removed for good`}>
        <TrashFilter disabled={data?.items.length === 0} />
      </PageHeader>
      {data && <FoundTrash workspaceId={workspaceId} trash={data} narrow={narrow} />}
      {!data && (
        <Sheet>
          {error ? (
            <ErrorState message={messageOf(error)} requestId={requestId} onRetry={() => void refetch()} />
          ) : (
            <LoadingTrash narrow={narrow} />
          )}
        </Sheet>
      )}
    </>
  )
}

interface FoundTrashProps {
  workspaceId: number
  trash: Trash
  narrow: boolean
}

function FoundTrash({ workspaceId, trash, narrow }: FoundTrashProps) {
  const { q, kind, sort, page, change } = useTrashUrl()
  const items = useMemo(() => viewOf(trash.items, { q, kind, sort }), [trash.items, q, kind, sort])
  const { order, selection, select, chosen } = useChosen(items)
  const restoring = useRestore(workspaceId)
  useTrashOffers(chosen, restoring.restore)
  if (trash.items.length === 0) return <NothingDeleted />
  if (items.length === 0) return <NothingMatches onClear={() => change({ q: '', kind: 'all' })} />
  const from = (Math.min(page, Math.ceil(items.length / PER_PAGE)) - 1) * PER_PAGE
  return (
    <>
      <Sheet sx={{ position: 'relative' }}>
        {chosen.length > 0 && (
          <TrashBar
            chosen={chosen.length}
            listed={items.length}
            restoring={restoring}
            onRestore={() => restoring.restore(chosen)}
            onChooseAll={() => select(chooseAll(selection, order))}
            onClear={() => select(clear(selection))}
          />
        )}
        <TrashTable
          items={items.slice(from, from + PER_PAGE)}
          narrow={narrow}
          sort={sort}
          onSort={(next) => change({ sort: next })}
          order={order}
          selection={selection}
          onSelect={select}
          restoring={restoring}
        />
      </Sheet>
      {trash.more && (
        <Alert severity="info" variant="outlined" sx={{ mx: 2, mb: 2 }}>
          {mostWords()}
        </Alert>
      )}
      <Turner page={from / PER_PAGE + 1} more={from + PER_PAGE < items.length} />
      {restoring.question}
      {restoring.report && (
        <FailureReport
          outcome={restoring.report}
          total={restoring.items.length}
          verb="restore"
          renamed={restoring.report.renamed}
          onClose={restoring.forget}
        />
      )}
    </>
  )
}

/** The selection among the lines that the filter leaves, on all pages. */
function useChosen(items: readonly TrashItem[]) {
  const [held, select] = useState<Selection>(NOTHING)
  const order = useMemo(() => orderOf(items.map(({ key }) => key)), [items])
  const selection = useMemo(() => retain(held, order), [held, order])
  const chosen = useMemo(() => items.filter(({ key }) => selection.chosen.has(key)), [items, selection])
  return { order, selection, select, chosen }
}

const mostWords = () =>
  plural(MOST_LISTED, { one: 'Only the newest # is listed.', other: 'Only the newest # are listed.' })

function NothingDeleted() {
  return (
    <Sheet>
      <EmptyState
        icon={ArchiveRestore}
        title={t`Nothing was deleted`}
        text={t`What is deleted stays here for 30 days and can be brought back.`}
      />
    </Sheet>
  )
}

function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <Sheet>
      <EmptyState
        icon={FileSearch}
        title={t`Nothing matches`}
        text={t`Nothing that was deleted fits the filter.`}
        action={
          <Button onClick={onClear}>
            <Trans>Clear the filter</Trans>
          </Button>
        }
      />
    </Sheet>
  )
}
