import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, useReading } from '../../../api/query.ts'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import type { Work } from '../questions.ts'
import { passedThreadAsQuery, seenState } from './experts.ts'
import { PassedWords } from './passed-words.tsx'

interface SeenDialogProps {
  id: string
  expert: Work['passes'][number]['expert']
  onClose: () => void
}

/** The question as the expert sees it now. */
export function SeenDialog({ id, expert: { id: user_id, name }, onClose }: SeenDialogProps) {
  const workspace_id = useWorkspaceId()
  const params = { workspace_id, question_id: id, user_id }
  const { data: thread, error, refetch } = useReading(passedThreadAsQuery(params))
  const { data: terms } = useReading(read(api.terms.foresee, { params: { id: workspace_id }, query: { user_id } }))
  const titleId = useId()
  return (
    <Dialog open maxWidth="sm" fullWidth onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t`What ${name} sees`}</DialogTitle>
      <DialogContent>
        {error && <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />}
        {!thread && !error && <SkeletonRows height={56} />}
        {thread && (
          <Stack sx={{ gap: 1.75 }}>
            {terms?.await && (
              <Typography role="note">
                {t`Terms await first: until they are accepted, nothing of this is shown.`}
              </Typography>
            )}
            <Typography color="textSecondary">{seenState(thread.state)}</Typography>
            <Typography variant="h2" component="h3" sx={{ overflowWrap: 'anywhere' }}>
              {thread.subject}
            </Typography>
            <PassedWords thread={thread} isSeen />
          </Stack>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}
