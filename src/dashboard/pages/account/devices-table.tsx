import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import { styled } from '@mui/material/styles'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { Monitor, Smartphone } from 'lucide-react'
import { fullDate } from '../../ui/words/format.ts'
import { Time } from '../../ui/words/time.tsx'
import { deviceName, isHandheld } from './device-name.ts'
import type { Session } from './devices.tsx'

interface DevicesTableProps {
  sessions: readonly Session[]
  onSignOut: (session: Session) => void
}

export function DevicesTable({ sessions, onSignOut }: DevicesTableProps) {
  return (
    <Table size="small" aria-label={t`Signed-in devices`}>
      <TableHead>
        <TableRow>
          <TableCell sx={{ pl: 0 }}>{t`Device`}</TableCell>
          <TableCell align="right" sx={{ pr: 0, width: 112 }}>
            <Trans>Actions</Trans>
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {sessions.map((session) => (
          <TableRow key={session.id} sx={{ height: 56 }}>
            <TableCell sx={{ pl: 0 }}>
              <Device session={session} />
            </TableCell>
            <TableCell align="right" sx={{ pr: 0 }}>
              {session.current ? (
                <Chip size="small" color="primary" variant="outlined" label={t`This device`} />
              ) : (
                <SignOutButton device={deviceName(session.user_agent)} onClick={() => onSignOut(session)} />
              )}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

function SignOutButton({ device, onClick }: { device: string; onClick: () => void }) {
  return (
    <Button aria-label={t`Sign out ${device}`} onClick={onClick} sx={{ mr: -1.5 }}>
      <Trans>Sign out</Trans>
    </Button>
  )
}

function Device({ session: { user_agent, ip, method, current, created_at, last_seen_at } }: { session: Session }) {
  const Icon = isHandheld(user_agent) ? Smartphone : Monitor
  return (
    <Row>
      <Icon size={18} strokeWidth={1.75} aria-hidden />
      <div>
        <Typography sx={{ fontWeight: 500 }}>{deviceName(user_agent)}</Typography>
        <Typography variant="caption" color="textSecondary" component="div" sx={{ overflowWrap: 'anywhere' }}>
          {current ? (
            <Trans>Seen now at {ip}</Trans>
          ) : (
            <Trans>
              Seen <Time at={last_seen_at} relative /> at {ip}
            </Trans>
          )}
          <br />
          <span title={fullDate(created_at)}>
            <SignedIn method={method} at={created_at} />
          </span>
        </Typography>
      </div>
    </Row>
  )
}

function SignedIn({ method, at }: { method: Session['method']; at: string }) {
  const time = <Time at={at} />
  if (method === 'code') return <Trans>Signed in {time} with a code</Trans>
  if (method === 'oidc') return <Trans>Signed in {time} through the identity provider</Trans>
  return <Trans>Signed in {time} on the demo</Trans>
}

const Row = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'flex-start',
  gap: 10,
  minWidth: 0,
  padding: '2px 0',
  '& > div': { minWidth: 0 },
  svg: { flex: 'none', marginTop: 1, color: theme.vars.palette.text.secondary },
}))
