import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useAction, useReading } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { useMe } from '../../shared/session.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'

interface LeaveWorkspaceProps {
  workspace: { id: number; name: string }
}

/** For the signed-in admin; the others are removed on the page of the people. */
export function LeaveWorkspace({ workspace }: LeaveWorkspaceProps) {
  const [open, setOpen] = useState(false)
  const { data: people = [] } = useReading(read(api.workspaces.listMembers, { params: { id: workspace.id } }))
  const isLast = people.filter(({ admin }) => admin).length === 1
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 2 }}>
      <Box sx={{ flex: '1 1 260px' }}>
        <Typography sx={{ fontWeight: 600 }}>
          <Trans>Leave this workspace</Trans>
        </Typography>
        <Typography color="textSecondary">
          {isLast ? (
            <Trans>You are the last Workspace Admin, who stays. Make somebody else an admin first.</Trans>
          ) : (
            <Trans>You leave every group and have no access until an admin adds you again.</Trans>
          )}
        </Typography>
      </Box>
      <Button
        variant="outlined"
        color="error"
        disabled={isLast}
        startIcon={<LogOut size={16} />}
        onClick={() => setOpen(true)}
      >
        <Trans>Leave…</Trans>
      </Button>
      {open && <LeaveDialog workspace={workspace} onClose={() => setOpen(false)} />}
    </Box>
  )
}

function LeaveDialog({ workspace: { id, name }, onClose }: LeaveWorkspaceProps & { onClose: () => void }) {
  const me = useMe()
  const toasts = useToasts()
  const navigate = useNavigate()
  const groups = useReading(read(api.groups.list, { query: { workspace_id: id } }))
  const everybody = groups.data?.find(({ kind }) => kind === 'all_members')
  const leave = useAction(api.groups.removeMember, {
    onDone: async () => {
      await navigate(paths.home())
      toasts.done(t`You have left ${name}`)
    },
  })
  const error = leave.error ?? groups.error
  return (
    <ConfirmDialog
      open
      title={t`Leave ${name}?`}
      confirm={t`Leave the workspace`}
      typeName={name}
      pending={leave.isPending || groups.isPending}
      error={error ? messageOf(error) : undefined}
      onConfirm={() =>
        everybody && leave.mutate({ params: { id: everybody.id }, query: { workspace_id: id, user_id: me.id } })
      }
      onClose={onClose}
    >
      {t`You will not be able to open it any more. What you put in stays.`}
    </ConfirmDialog>
  )
}
