import type { Reply } from '../../../../contract/endpoint.ts'
import type { api } from '../../../../contract/index.ts'
import { send } from '../../../api/client.ts'
import { requestCode, type Me } from '../../../api/session.ts'

export type Invitation = NonNullable<Reply<typeof api.signInCodes.invitation>['invitation']>

export interface Opened {
  /** Null if the link is not valid. */
  invitation: Invitation | null
  code?: SentCode
}

export interface SentCode {
  at: Date
  failure?: unknown
}

interface Link {
  workspaceId: number
  secret: string
}

/** Reads what the link is about, and has a code sent to its address unless somebody is signed in. */
export async function openInvitation({ workspaceId, secret }: Link, user: Me | null): Promise<Opened> {
  const { invitation } = await send<Pick<Opened, 'invitation'>>('POST', '/auth/invitation', {
    token: `${workspaceId}.${secret}`,
  })
  return user || !invitation ? { invitation } : { invitation, code: await sendCode(invitation.email) }
}

export async function sendCode(email: string): Promise<SentCode> {
  const at = new Date()
  try {
    await requestCode(email)
    return { at }
  } catch (failure) {
    return { at, failure }
  }
}
