import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Chip from '@mui/material/Chip'
import IconButton from '@mui/material/IconButton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { useTheme } from '@mui/material/styles'
import { Ban, RefreshCw } from 'lucide-react'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { dayOf } from '../../ui/words/format.ts'
import { Time } from '../../ui/words/time.tsx'
import type { ApiKey } from './api-keys.tsx'

interface ApiKeysTableProps {
  apiKeys: readonly ApiKey[]
  onAsk: (about: 'rotate' | 'revoke', apiKey: ApiKey) => void
}

export function ApiKeysTable({ apiKeys, onAsk }: ApiKeysTableProps) {
  const phone = useMediaQuery(useTheme().breakpoints.down('sm'))
  return (
    <Table size="small" aria-label={t`Personal API keys`}>
      <TableHead>
        <TableRow>
          <TableCell sx={{ pl: 0 }}>{t`Key`}</TableCell>
          {!phone && <TableCell>{t`Last used`}</TableCell>}
          <TableCell>{t`Status`}</TableCell>
          <TableCell align="right" sx={{ pr: 0, width: 76 }}>
            <Trans>Actions</Trans>
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {apiKeys.map((apiKey) => (
          <TableRow key={apiKey.id} sx={{ height: 56, verticalAlign: 'top' }}>
            <TableCell sx={{ pl: 0 }}>
              <Typography sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>{apiKey.name}</Typography>
              <Typography variant="caption" color="textSecondary" translate="no">
                {apiKey.scopes.join(', ')}
              </Typography>
            </TableCell>
            {!phone && (
              <TableCell sx={{ whiteSpace: 'nowrap' }}>
                {apiKey.last_used_at ? <Time at={apiKey.last_used_at} relative /> : t`Never`}
              </TableCell>
            )}
            <TableCell>
              <Status apiKey={apiKey} />
            </TableCell>
            <TableCell align="right" sx={{ pr: 0, whiteSpace: 'nowrap' }}>
              {apiKey.status !== 'revoked' && <Actions apiKey={apiKey} onAsk={onAsk} />}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

function Status({ apiKey: { status, expires_at } }: { apiKey: ApiKey }) {
  if (status === 'revoked') return <Chip size="small" variant="outlined" label={t`Revoked`} />
  if (status === 'expired') return <Chip size="small" variant="outlined" color="warning" label={t`Expired`} />
  const lastDay = expires_at && dayOf(expires_at)
  return (
    <>
      <Typography>
        <Trans>Active</Trans>
      </Typography>
      <Typography variant="caption" color="textSecondary" component="div">
        {lastDay ? t`until ${lastDay}` : t`without end`}
      </Typography>
    </>
  )
}

function Actions({ apiKey, onAsk }: { apiKey: ApiKey; onAsk: ApiKeysTableProps['onAsk'] }) {
  const { name } = apiKey
  return (
    <>
      {apiKey.status === 'active' && (
        <Tooltip title={t`New secret`}>
          <IconButton aria-label={t`New secret for ${name}`} onClick={() => onAsk('rotate', apiKey)}>
            <RefreshCw size={16} />
          </IconButton>
        </Tooltip>
      )}
      <Tooltip title={t`Revoke`}>
        <IconButton aria-label={t`Revoke ${name}`} onClick={() => onAsk('revoke', apiKey)}>
          <Ban size={16} />
        </IconButton>
      </Tooltip>
    </>
  )
}
