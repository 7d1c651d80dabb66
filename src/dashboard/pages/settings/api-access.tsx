import { t } from '@lingui/core/macro'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { type Foresee, read, useAction, useRead, useReading } from '../../api/query.ts'
import { PersonChip } from '../../shared/person-chip.tsx'
import { number, shortDate } from '../../ui/words/format.ts'
import { SwitchRow } from '../../ui/fields/switch-row.tsx'
import { Time } from '../../ui/words/time.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'

export const apiAccessQuery = (id: number) => read(api.workspaces.getApiAccess, { params: { id } })

/** Whether personal API keys work in the workspace, and which members have keys. */
export function ApiAccess({ workspaceId }: { workspaceId: number }) {
  const { enabled, enabled_at } = useRead(apiAccessQuery(workspaceId))
  const since = shortDate(enabled_at)
  const change = useApiAccess(workspaceId)
  return (
    <>
      <SwitchRow
        label={t`Personal API keys`}
        text={
          enabled
            ? t`On since ${since}. Members reach with their keys what they reach here.`
            : t`Off. The personal API keys of members do not work in this workspace.`
        }
        checked={enabled}
        onChange={change}
      />
      <KeyOwners workspaceId={workspaceId} />
    </>
  )
}

function useApiAccess(id: number) {
  const toasts = useToasts()
  const foreseen = (enabled: boolean) => ({
    optimistic: (_call: unknown, foresee: Foresee) => foresee(apiAccessQuery(id), (before) => ({ ...before, enabled })),
  })
  const enable = useAction(api.workspaces.enableApiAccess, foreseen(true))
  const disable = useAction(api.workspaces.disableApiAccess, foreseen(false))
  return (on: boolean) => {
    const action = on ? enable : disable
    action.mutate({ params: { id } }, { onError: (error) => toasts.failed(messageOf(error)) })
  }
}

function KeyOwners({ workspaceId }: { workspaceId: number }) {
  const { data } = useReading(read(api.workspaces.listApiAccessMembers, { params: { id: workspaceId } }))
  const owners = data?.members ?? []
  if (owners.length === 0) {
    return (
      <Typography variant="caption" color="textSecondary" sx={{ display: 'block', mt: 1.5 }}>
        {data ? t`No member has a personal API key.` : ' '}
      </Typography>
    )
  }
  return (
    <Table size="small" aria-label={t`Members with API keys`} sx={{ mt: 1.5 }}>
      <TableHead>
        <TableRow>
          <TableCell>{t`Member`}</TableCell>
          <TableCell align="right">{t`Active keys`}</TableCell>
          <TableCell align="right">{t`Last used`}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {owners.map((owner) => (
          <TableRow key={owner.user_id}>
            <TableCell>
              <PersonChip person={owner} />
            </TableCell>
            <TableCell align="right">{number(owner.active_api_keys)}</TableCell>
            <TableCell align="right">
              <Time at={owner.last_used_at} relative />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}
