import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Pagination from '@mui/material/Pagination'
import { keepPreviousData } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { messageOf } from '../../api/failures.ts'
import { useReading } from '../../api/query.ts'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { type EngagedGroup, peopleQuery, type Span } from './engaged.ts'
import { PeopleTable } from './people-table.tsx'

interface PeopleDialogProps {
  workspaceId: number
  span: Span
  group: EngagedGroup
  onClose: () => void
}

/** The people of one group, most reading first. */
export function PeopleDialog({ workspaceId, span, group, onClose }: PeopleDialogProps) {
  const [page, setPage] = useState(1)
  const title = useId()
  const { data, error, refetch } = useReading({
    ...peopleQuery(workspaceId, span, group.group_id, page),
    placeholderData: keepPreviousData,
  })
  return (
    <Dialog open onClose={onClose} maxWidth="md" aria-labelledby={title}>
      <DialogTitle id={title}>{group.name}</DialogTitle>
      <DialogContent sx={{ minHeight: 160 }}>
        {error && !data && <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />}
        {!data && !error && <SkeletonRows />}
        {data && <PeopleTable key={page} label={t`People of the group`} people={data.people} />}
      </DialogContent>
      <DialogActions>
        {data && data.pagination.total_pages > 1 && (
          <Pagination
            size="small"
            count={data.pagination.total_pages}
            page={page}
            onChange={(_, next) => setPage(next)}
            aria-label={t`Pages`}
            sx={{ mr: 'auto' }}
          />
        )}
        <Button onClick={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  )
}
