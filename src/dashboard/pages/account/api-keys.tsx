import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read, useRead } from '../../api/query.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Part } from '../../ui/part.tsx'
import { ApiKeysTable } from './api-keys-table.tsx'
import { CreateApiKeyDialog } from './create-api-key-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'

export type ApiKey = Reply<typeof api.apiKeys.list>['api_keys'][number]
export type ApiKeyWithSecret = Reply<typeof api.apiKeys.create>

type Open =
  | { dialog: 'create' }
  | { dialog: 'rotate' | 'revoke'; apiKey: ApiKey }
  | { dialog: 'secret'; apiKey: ApiKeyWithSecret }

export const apiKeysQuery = () => read(api.apiKeys.list)

/** The user's own API keys. A key works only in workspaces whose admins allow API access. */
export function ApiKeys() {
  const { api_keys } = useRead(apiKeysQuery())
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const show = (apiKey: ApiKeyWithSecret) => setOpen({ dialog: 'secret', apiKey })
  const create = (
    <Button variant="contained" startIcon={<Plus size={16} />} onClick={() => setOpen({ dialog: 'create' })}>
      <Trans>New key</Trans>
    </Button>
  )
  return (
    <Part title={t`Personal API keys`} action={api_keys.length > 0 && create}>
      {api_keys.length > 0 ? (
        <ApiKeysTable apiKeys={api_keys} onAsk={(dialog, apiKey) => setOpen({ dialog, apiKey })} />
      ) : (
        <EmptyState
          icon={KeyRound}
          title={t`No API key yet`}
          text={t`With a key, a program does in your name what you allow it, in workspaces that are open to keys.`}
          action={create}
        />
      )}
      {open?.dialog === 'create' && <CreateApiKeyDialog onCreated={show} onClose={close} />}
      {open?.dialog === 'rotate' && <RotateDialog apiKey={open.apiKey} onRotated={show} onClose={close} />}
      {open?.dialog === 'revoke' && <RevokeDialog apiKey={open.apiKey} onClose={close} />}
      {open?.dialog === 'secret' && <SecretDialog apiKey={open.apiKey} onClose={close} />}
    </Part>
  )
}
