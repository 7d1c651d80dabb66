import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import { timeAgo } from '../../ui/words/format.ts'

export type SealedCopy = Reply<typeof api.sealedCopies.list>[number]
export type SealedOpening = Reply<typeof api.sealedCopies.openings>[number]

export type CopiesOf = { file_id: number } | { group_id: number }

export const PAGE_SIZE = 25

export const copiesQuery = (workspace_id: number, of: CopiesOf, page: number) =>
  read(api.sealedCopies.list, { query: { workspace_id, ...of, page, per_page: PAGE_SIZE } })

export const openingsQuery = ({ workspace_id, copy_id }: SealedCopy) =>
  read(api.sealedCopies.openings, { params: { copy_id }, query: { workspace_id } })

/** Returns "Opened 3 times, last 5 minutes ago · refused once". */
export function historyOf({ openings, refusals, last_opened_at }: SealedCopy): string {
  const ago = timeAgo(last_opened_at)
  const opened = plural(openings, {
    0: 'Never opened',
    one: `Opened once, last ${ago}`,
    other: `Opened # times, last ${ago}`,
  })
  const refused = refusals > 0 && plural(refusals, { one: 'refused once', other: 'refused # times' })
  return refused ? `${opened} · ${refused}` : opened
}

/** Why an opening was refused, as the list tells admins. */
export const REFUSAL_WORDS: Record<NonNullable<SealedOpening['refusal']>, MessageDescriptor> = {
  other_person: msg`it was made for somebody else`,
  revoked: msg`the copy was revoked`,
  not_member: msg`no member any more`,
  terms_not_accepted: msg`the terms were not accepted`,
  deleted: msg`the file was deleted`,
  infected: msg`the file is infected`,
  access_ended: msg`the group’s access has ended`,
  no_right: msg`no right to download`,
  drm_off: msg`DRM was off`,
  drm_expired: msg`after the last day`,
}
