import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArchiveRestore } from 'lucide-react'
import { useId } from 'react'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonRows } from '../../ui/skeleton-rows.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { TrashList } from './trash-list.tsx'

const PER_PAGE = 100

interface TrashDialogProps {
  workspaceId: number
  onClose: () => void
}

/** What was deleted in the last 30 days, to be brought back. */
export function TrashDialog({ workspaceId, onClose }: TrashDialogProps) {
  const titleId = useId()
  return (
    <Dialog open onClose={onClose} maxWidth="sm" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>Recently deleted</DialogTitle>
      <DialogContent sx={{ minHeight: 260 }}>
        <Trash workspaceId={workspaceId} />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Trash({ workspaceId }: { workspaceId: number }) {
  const toasts = useToasts()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useTrash(workspaceId)
  const restore = useAction(api.trash.restore, { onDone: ({ name }) => toasts.done(`“${name}” restored.`) })
  if (error) return <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows rows={5} height={52} />
  const items = data.pages.flat()
  if (items.length === 0) {
    return (
      <EmptyState
        icon={ArchiveRestore}
        title="Nothing was deleted"
        text="What is deleted stays here for 30 days and can be brought back."
      />
    )
  }
  return (
    <>
      <TrashList
        items={items}
        busy={restore.isPending ? restore.variables.params.deletion_id : undefined}
        onRestore={({ deletion_id }) =>
          restore.mutate(
            { params: { deletion_id }, body: { workspace_id: workspaceId } },
            { onError: (error) => toasts.failed(messageOf(error)) },
          )
        }
      />
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}

function useTrash(workspaceId: number) {
  return useInfiniteQuery({
    queryKey: ['trash', workspaceId],
    queryFn: ({ pageParam, signal }) =>
      call(api.trash.list, { query: { workspace_id: workspaceId, page: pageParam, per_page: PER_PAGE } }, signal),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.length < PER_PAGE ? undefined : pages.length + 1),
  })
}
