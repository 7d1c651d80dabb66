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
import { fullDate } from '../../ui/format.ts'
import { Time } from '../../ui/time.tsx'
import { deviceName, isHandheld } from './device-name.ts'
import type { Session } from './devices.tsx'

const METHODS: Record<Session['method'], string> = {
  code: 'with a code',
  oidc: 'through the identity provider',
  demo: 'on the demo',
}

interface DevicesTableProps {
  sessions: readonly Session[]
  onSignOut: (session: Session) => void
}

export function DevicesTable({ sessions, onSignOut }: DevicesTableProps) {
  return (
    <Table size="small" aria-label="Signed-in devices">
      <TableHead>
        <TableRow>
          <TableCell sx={{ pl: 0 }}>Device</TableCell>
          <TableCell align="right" sx={{ pr: 0, width: 112 }}>
            Actions
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
                <Chip size="small" color="primary" variant="outlined" label="This device" />
              ) : (
                <Button
                  aria-label={`Sign out ${deviceName(session.user_agent)}`}
                  onClick={() => onSignOut(session)}
                  sx={{ mr: -1.5 }}
                >
                  Sign out
                </Button>
              )}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
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
          Seen {current ? 'now' : <Time at={last_seen_at} relative />} at {ip}
          <br />
          <span title={fullDate(created_at)}>
            Signed in <Time at={created_at} /> {METHODS[method]}
          </span>
        </Typography>
      </div>
    </Row>
  )
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
