import { readId } from '../../contract/read-id.ts'
import type { Vault } from '../base/secrets.ts'

/** What a link in a mail of news names: one person in one workspace, as long as this membership lasts. */
export interface Subscription {
  workspace_id: number
  user_id: number
  membership_id: number
}

export interface UnsubscribeTokens {
  make(subscription: Subscription): string
  /** Undefined for a token that was not made here. */
  read(token: string): Subscription | undefined
}

export function openUnsubscribeTokens(vault: Pick<Vault, 'sealerFor'>): UnsubscribeTokens {
  const sealer = vault.sealerFor('unsubscribe')
  return {
    make: ({ workspace_id, user_id, membership_id }) =>
      sealer.seal(`${workspace_id}.${user_id}.${membership_id}`).toString('base64url'),
    read(token) {
      const [workspace_id, user_id, membership_id] = opened(token).split('.').map(readId)
      if (workspace_id === undefined || user_id === undefined || membership_id === undefined) return undefined
      return { workspace_id, user_id, membership_id }
    },
  }

  function opened(token: string): string {
    try {
      return sealer.open(Buffer.from(token, 'base64url'))
    } catch {
      return ''
    }
  }
}
