import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { ApiKey } from './api-keys.tsx'

export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useAction(api.apiKeys.update, { onDone: onClose })
  return (
    <ConfirmDialog
      open
      title={`Revoke ${apiKey.name}?`}
      confirm="Revoke"
      pending={revoke.isPending}
      error={revoke.error ? messageOf(revoke.error) : undefined}
      onConfirm={() => revoke.mutate({ params: { id: apiKey.id }, body: { revoked: true } })}
      onClose={onClose}
    >
      The key ends at once and for good. It stays in the list, so that you know what it was.
    </ConfirmDialog>
  )
}
