import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Scale } from 'lucide-react'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'

export function NoTerms({ workspaceName, to }: { workspaceName: string; to: string }) {
  return (
    <main style={{ flex: 1 }}>
      <EmptyState
        icon={Scale}
        heading="h1"
        title={t`No terms bind you here`}
        text={workspaceName}
        action={
          <ButtonLink variant="contained" to={to}>
            <Trans>Enter</Trans>
          </ButtonLink>
        }
      />
    </main>
  )
}
