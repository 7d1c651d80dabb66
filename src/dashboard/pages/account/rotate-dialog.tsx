import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import type { ApiKey, ApiKeyWithSecret } from './api-keys.tsx'

interface RotateDialogProps {
  apiKey: ApiKey
  onRotated: (apiKey: ApiKeyWithSecret) => void
  onClose: () => void
}

export function RotateDialog({ apiKey, onRotated, onClose }: RotateDialogProps) {
  const { name } = apiKey
  const rotate = useAction(api.apiKeys.rotate, { onDone: onRotated })
  return (
    <ConfirmDialog
      open
      title={t`New secret for ${name}?`}
      confirm={t`New secret`}
      pending={rotate.isPending}
      error={rotate.error ? messageOf(rotate.error) : undefined}
      onConfirm={() => rotate.mutate({ params: { id: apiKey.id } })}
      onClose={onClose}
    >
      <Trans>The old secret ends at once: whatever uses it stops working until it has the new one.</Trans>
    </ConfirmDialog>
  )
}
