import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { CloudAlert, RotateCw } from 'lucide-react'
import { Button } from '../button.tsx'
import { EmptyState } from './empty-state.tsx'

interface ErrorStateProps {
  message: string
  /** Support needs it to find the failed request. */
  requestId?: string | undefined
  onRetry?: () => void
  /** `h1` if it stands for the whole page. */
  heading?: 'h1' | 'h2'
}

/** Says why a read failed. */
export function ErrorState({ message, requestId, onRetry, heading = 'h2' }: ErrorStateProps) {
  return (
    <div role="alert" style={{ height: '100%' }}>
      <EmptyState
        icon={CloudAlert}
        heading={heading}
        title={t`This could not be loaded`}
        text={
          <>
            {message}
            {requestId && (
              <Typography component="span" variant="caption" sx={{ display: 'block', mt: 1, userSelect: 'all' }}>
                <Trans>Request {requestId}</Trans>
              </Typography>
            )}
          </>
        }
        action={
          onRetry && (
            <Button variant="outlined" startIcon={<RotateCw size={16} />} onClick={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          )
        }
      />
    </div>
  )
}
