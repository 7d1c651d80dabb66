import { MAILS, type Mails } from '../../contract/endpoints/deal/notifications.ts'
import { readId } from '../../contract/read-id.ts'
import type { Vault } from '../base/secrets.ts'

/** What a link in a mail names: such mails to one person about one workspace, as long as this membership lasts. */
export interface Subscription {
  mails: Mails
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
    make: ({ workspace_id, user_id, membership_id, mails }) =>
      sealer
        .seal(`${mails === 'news' ? '' : `${mails}.`}${workspace_id}.${user_id}.${membership_id}`)
        .toString('base64url'),
    read(token) {
      const parts = opened(token).split('.')
      // Links of news name no kind, as in the release before there were others, which must not take those for its own.
      const kind = parts.length === 4 ? parts.shift() : 'news'
      const [workspace_id, user_id, membership_id] = parts.map(readId)
      const mails = MAILS.find((each) => each === kind)
      if (!workspace_id || !user_id || !membership_id || !mails) return undefined
      return { workspace_id, user_id, membership_id, mails }
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
