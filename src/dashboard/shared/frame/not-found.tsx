import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { MapPinOff } from 'lucide-react'
import { ButtonLink } from '../../ui/button.tsx'
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
    <ButtonLink variant="contained" to={paths.home()}>
      <Trans>Go to your workspaces</Trans>
    </ButtonLink>
  )
}

export { NotFound as Component }
