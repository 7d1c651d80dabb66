import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { NameDialog } from '../../ui/dialogs/name-dialog.tsx'
import type { ApiKeyWithSecret } from './api-keys.tsx'
import { ScopeChoice } from './scope-choice.tsx'

const DAY = 86_400_000

/** In days; 0 means that the key does not expire. */
const LIVES = [
  { days: 30, label: msg`30 days` },
  { days: 90, label: msg`90 days` },
  { days: 365, label: msg`A year` },
  { days: 0, label: msg`Until revoked` },
] as const

interface CreateApiKeyDialogProps {
  onCreated: (apiKey: ApiKeyWithSecret) => void
  onClose: () => void
}

export function CreateApiKeyDialog({ onCreated, onClose }: CreateApiKeyDialogProps) {
  const [scopes, setScopes] = useState<Scope[]>([])
  const [days, setDays] = useState(90)
  const create = useAction(api.apiKeys.create, { onDone: onCreated })
  const submit = (name: string) => {
    const expires_at = days === 0 ? null : new Date(Date.now() + days * DAY).toISOString()
    create.mutate({ body: { name, scopes, expires_at } })
  }
  return (
    <NameDialog
      title={t`New API key`}
      submit={t`Create key`}
      hint={t`What the key is for, so that you know it again.`}
      maxWidth="sm"
      pending={create.isPending}
      disabled={scopes.length === 0}
      unsaved={scopes.length > 0}
      error={create.error ? messageOf(create.error) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField select label={t`Works for`} value={days} onChange={(event) => setDays(Number(event.target.value))}>
        {LIVES.map(({ days, label }) => (
          <MenuItem key={days} value={days}>
            {i18n._(label)}
          </MenuItem>
        ))}
      </TextField>
      <ScopeChoice chosen={scopes} onChange={setScopes} />
    </NameDialog>
  )
}
