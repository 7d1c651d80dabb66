import { useMutation } from '@tanstack/react-query'
import { api } from '../../contract/index.ts'
import { call } from '../api/client.ts'
import { ApiFailure, messageOf } from '../api/failures.ts'
import { refresh } from '../api/query.ts'
import type { User } from '../api/session.ts'

export interface PeopleToAdd {
  workspace_id: number
  group_id: number
  emails: readonly string[]
  /** Users that are known by these addresses. */
  known?: ReadonlyMap<string, number>
  send_email: boolean
}

export interface PeopleAdded {
  added: User[]
  refused: { email: string; reason: string }[]
  /** Not tried any more, since what was refused before would be refused to them as well. */
  left: string[]
}

/** One e-mail address, or several as they stand in a mail or a spreadsheet: "Bob Brown <bob@example.com>; carol@example.com". */
export function emailsIn(text: string): string[] {
  const whole = text.trim()
  if (!whole.includes('@')) return whole === '' ? [] : [whole]
  const words = whole.split(/[;\r\n]+/).flatMap(wordsOf)
  const byAddress = new Map(words.map((word) => [word.toLowerCase(), word]))
  return [...byAddress.values()]
}

/** Beside an address in angle brackets stands a name. */
function wordsOf(piece: string): string[] {
  const words = piece.split(/[\s,<>"]+/).filter(Boolean)
  return piece.includes('<') ? words.filter((word) => word.includes('@')) : words
}

/** Adds people to a group one after the other; what is refused to one does not stop the others. */
export const useAddPeople = () => useMutation({ mutationFn: addPeople, onSettled: () => refresh() })

async function addPeople({ workspace_id, group_id, emails, known, send_email }: PeopleToAdd): Promise<PeopleAdded> {
  const result: PeopleAdded = { added: [], refused: [], left: [] }
  for (const [at, email] of emails.entries()) {
    const user_id = known?.get(email.toLowerCase())
    const who = user_id === undefined ? { email } : { user_id }
    try {
      const body = { workspace_id, send_email, ...who }
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

/** Codes of failures that say something of the address alone. */
const OF_THE_ADDRESS = new Set([400, 409, 422])
