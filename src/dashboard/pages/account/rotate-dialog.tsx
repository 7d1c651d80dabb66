import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { ApiKey, ApiKeyWithSecret } from './api-keys.tsx'

interface RotateDialogProps {
  apiKey: ApiKey
  onRotated: (apiKey: ApiKeyWithSecret) => void
  onClose: () => void
}

export function RotateDialog({ apiKey, onRotated, onClose }: RotateDialogProps) {
  const rotate = useAction(api.apiKeys.rotate, { onDone: onRotated })
  return (
    <ConfirmDialog
      open
      title={`New secret for ${apiKey.name}?`}
      confirm="New secret"
      pending={rotate.isPending}
      error={rotate.error ? messageOf(rotate.error) : undefined}
      onConfirm={() => rotate.mutate({ params: { id: apiKey.id } })}
      onClose={onClose}
    >
      The old secret ends at once: whatever uses it stops working until it has the new one.
    </ConfirmDialog>
  )
}
