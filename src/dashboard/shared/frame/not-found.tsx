import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { MapPinOff } from 'lucide-react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'

export function NotFound() {
  return (
    <EmptyState
      icon={MapPinOff}
      heading="h1"
      title={t`There is nothing at this address`}
      text={t`It may have been deleted or moved, or you may not have access to it.`}
      action={<ToSpaces />}
    />
  )
}

/** A link home from a missing or forbidden page. */
export function ToSpaces() {
  return (
    <Button variant="contained" component={Link} to={paths.home()}>
      <Trans>Go to your workspaces</Trans>
    </Button>
  )
}

export { NotFound as Component }
