import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { CopyButton } from '../../ui/fields/copy-button.tsx'
import type { ApiKeyWithSecret } from './api-keys.tsx'

/** A click outside does not close the dialog, because the secret is never shown again. */
export function SecretDialog({ apiKey, onClose }: { apiKey: ApiKeyWithSecret; onClose: () => void }) {
  const { name, secret_key, public_key, user_token } = apiKey
  return (
    <Dialog open maxWidth="sm" aria-labelledby="secret-title">
      <DialogTitle id="secret-title">{name}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, '&&': { pt: 1 } }}>
        <Typography>
          <Trans>Copy the secret now and keep it safe. It is not shown again.</Trans>
        </Typography>
        <Credential label={t`Secret key`} copy={t`Copy secret key`} value={secret_key} />
        <Credential label={t`Public key`} copy={t`Copy public key`} value={public_key} />
        <Credential label={t`User token`} copy={t`Copy user token`} value={user_token} />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          <Trans>I have kept it</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Credential({ label, copy, value }: { label: string; copy: string; value: string }) {
  return (
    <Row>
      <TextField
        label={label}
        value={value}
        onFocus={(event) => event.target.select()}
        slotProps={{ htmlInput: { readOnly: true, spellCheck: false, style: { fontFamily: 'monospace' } } }}
      />
      <CopyButton text={value} label={copy} />
    </Row>
  )
}

const Row = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) 148px',
  alignItems: 'center',
  gap: 8,
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))
