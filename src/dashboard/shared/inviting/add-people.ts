import { useMutation } from '@tanstack/react-query'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { ApiFailure, messageOf } from '../../api/failures.ts'
import { refresh } from '../../api/query.ts'
import type { Inviting } from './invite-choice.tsx'

export interface PeopleToAdd {
  workspace_id: number
  group_id: number
  emails: readonly string[]
  /** Ids of known users by their lower-case addresses. */
  known?: ReadonlyMap<string, number>
  inviting: Inviting
}

export type PersonAdded = Reply<typeof api.groups.addMember>

export interface PeopleAdded {
  added: PersonAdded[]
  refused: { email: string; reason: string }[]
  /** Addresses not tried, because they would fail for the same reason as the last refused address. */
  left: string[]
}

/** Splits addresses pasted from a mail or a spreadsheet: "Bob Brown <bob@example.com>; carol@example.com". */
export function emailsIn(text: string): string[] {
  const whole = text.trim()
  if (!whole.includes('@')) return whole === '' ? [] : [whole]
  const words = whole.split(/[;\r\n]+/).flatMap(wordsOf)
  const byAddress = new Map(words.map((word) => [word.toLowerCase(), word]))
  return [...byAddress.values()]
}

/** If an address is in angle brackets, the other words are a name and are dropped. */
function wordsOf(piece: string): string[] {
  const words = piece.split(/[\s,<>"]+/).filter(Boolean)
  return piece.includes('<') ? words.filter((word) => word.includes('@')) : words
}

export const useAddPeople = () => useMutation({ mutationFn: addPeople, onSettled: () => refresh() })

/** Adds people to a group one after the other; a refusal that concerns one address does not stop the others. */
export async function addPeople({
  workspace_id,
  group_id,
  emails,
  known,
  inviting,
}: PeopleToAdd): Promise<PeopleAdded> {
  const { send_email, message } = inviting
  const words = send_email && message.trim() !== '' ? { message } : {}
  const result: PeopleAdded = { added: [], refused: [], left: [] }
  for (const [at, email] of emails.entries()) {
    const user_id = known?.get(email.toLowerCase())
    const who = user_id === undefined ? { email } : { user_id }
    try {
      const body = { workspace_id, send_email, ...who, ...words }
      result.added.push(await call(api.groups.addMember, { params: { id: group_id }, body }))
    } catch (error) {
      result.refused.push({ email, reason: messageOf(error) })
      if (!(error instanceof ApiFailure) || !OF_THE_ADDRESS.has(error.code)) {
        return { ...result, left: emails.slice(at + 1) }
      }
    }
  }
  return result
}

/** Codes of failures that concern only the address. */
const OF_THE_ADDRESS = new Set([400, 409, 422])
