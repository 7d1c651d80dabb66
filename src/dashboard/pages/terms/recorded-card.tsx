import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { nameOf } from '../../shared/people.ts'
import type { OwnTerms, OwnVersion } from './own-terms.ts'

/** Digits of the hash on screen; the whole is in its tooltip. */
const SHOWN = 16

/** What an answer leaves behind. */
export function RecordedCard({ recorded, version }: { recorded: OwnTerms['recorded']; version: OwnVersion }) {
  const { version: number, sha256, pdf } = version
  const hash = `${sha256.slice(0, SHOWN)}…`
  return (
    <Paper variant="outlined" component="section" sx={{ p: 2.5 }}>
      <Typography variant="h2" sx={{ mb: 1 }}>
        <Trans>What is recorded</Trans>
      </Typography>
      <Facts>
        <dt>{t`Name`}</dt>
        <dd>{[nameOf(recorded), recorded.company].filter(Boolean).join(', ')}</dd>
        <dt>{t`E-mail`}</dt>
        <dd>{recorded.email}</dd>
        <dt>{pdf ? t`PDF` : t({ message: 'Text', context: 'of terms' })}</dt>
        <dd title={sha256}>
          {pdf
            ? t`${pdf.file_name}, version ${number}, SHA-256 of its bytes ${hash}`
            : t`Version ${number}, SHA-256 of the text ${hash}`}
        </dd>
        <dt>{t`When`}</dt>
        <dd>{t`The time of your answer`}</dd>
        <dt>{t`From`}</dt>
        <dd>{recorded.address}</dd>
      </Facts>
      <Typography variant="caption" color="textSecondary" component="p" sx={{ mt: 1.5, mb: 0 }}>
        <Trans>Declining is recorded in the same way. The admins of the workspace see the record.</Trans>
      </Typography>
    </Paper>
  )
}

const Facts = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '72px minmax(0, 1fr)',
  gap: '6px 12px',
  margin: 0,
  fontSize: '0.75rem',
  dt: { color: theme.vars.palette.text.secondary },
  dd: { margin: 0, overflowWrap: 'anywhere' },
}))
