import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import type { ApiKey } from './api-keys.tsx'

export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { name } = apiKey
  const revoke = useAction(api.apiKeys.update, { onDone: onClose })
  return (
    <ConfirmDialog
      open
      title={t`Revoke ${name}?`}
      confirm={t`Revoke`}
      pending={revoke.isPending}
      error={revoke.error ? messageOf(revoke.error) : undefined}
      onConfirm={() => revoke.mutate({ params: { id: apiKey.id }, body: { revoked: true } })}
      onClose={onClose}
    >
      <Trans>The key ends at once and for good. It stays in the list, so that you know what it was.</Trans>
    </ConfirmDialog>
  )
}
