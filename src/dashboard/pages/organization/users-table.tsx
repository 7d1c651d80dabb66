import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Stack from '@mui/material/Stack'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { Users } from 'lucide-react'
import { useState } from 'react'
import type { User } from '../../api/session.ts'
import { PersonChip } from '../../shared/person-chip.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { number } from '../../ui/words/format.ts'
import { AdminDialog } from './admin-dialog.tsx'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import { UserMenu } from './user-menu.tsx'

interface UsersTableProps {
  users: readonly User[]
  onShowAll: () => void
}

/** Rows drawn at first. Thousands would be slow to draw, and such a table is searched rather than read. */
const FIRST_ROWS = 200

export function UsersTable({ users, onShowAll }: UsersTableProps) {
  const [all, setAll] = useState(false)
  const [asking, setAsking] = useState<{ about: 'role' | 'deletion'; user: User }>()
  const shown = all ? users : users.slice(0, FIRST_ROWS)
  const close = () => setAsking(undefined)
  const total = number(users.length)
  if (users.length === 0) {
    return (
      <EmptyState
        icon={Users}
        title={t`Nobody matches`}
        action={
          <Button onClick={onShowAll}>
            <Trans>Show everybody</Trans>
          </Button>
        }
      />
    )
  }
  return (
    <>
      <Table size="small" aria-label={t`Users`}>
        <TableHead>
          <TableRow>
            <TableCell sx={{ pl: 0 }}>{t`Name`}</TableCell>
            <TableCell align="right" sx={{ pr: 0 }}>
              <Trans>Status</Trans>
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {shown.map((user) => (
            <TableRow key={user.id} sx={{ height: 48 }}>
              <TableCell sx={{ pl: 0, maxWidth: { xs: 150, sm: 280 } }}>
                <PersonChip person={user} />
              </TableCell>
              <TableCell sx={{ pr: 0 }}>
                <Status user={user} onAsk={(about) => setAsking({ about, user })} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {shown.length < users.length && <Button onClick={() => setAll(true)}>{t`Show all ${total}`}</Button>}
      {asking?.about === 'role' && <AdminDialog user={asking.user} onClose={close} />}
      {asking?.about === 'deletion' && <DeleteUserDialog user={asking.user} onClose={close} />}
    </>
  )
}

function Status({ user, onAsk }: { user: User; onAsk: (about: 'role' | 'deletion') => void }) {
  return (
    <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'flex-end', gap: 1 }}>
      <Stack
        sx={{
          flexDirection: { xs: 'column', sm: 'row' },
          alignItems: { xs: 'flex-end', sm: 'center' },
          gap: { xs: 0.5, sm: 1 },
        }}
      >
        {user.organization_admin && <Chip size="small" label={t`Admin`} />}
        {user.status === 'invited' ? (
          <Chip size="small" variant="outlined" label={t`Not yet here`} />
        ) : (
          <span>{t({ message: 'Active', context: 'person' })}</span>
        )}
      </Stack>
      <UserMenu user={user} onAsk={onAsk} />
    </Stack>
  )
}
