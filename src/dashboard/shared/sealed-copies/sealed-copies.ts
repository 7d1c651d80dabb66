import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import { count, timeAgo } from '../../ui/format.ts'

export type SealedCopy = Reply<typeof api.sealedCopies.list>[number]
export type SealedOpening = Reply<typeof api.sealedCopies.openings>[number]

/** Whose copies: of a file or of a group. */
export type CopiesOf = { file_id: number } | { group_id: number }

export const PAGE_SIZES = [25, 50, 75, 100] as const

export const copiesQuery = (workspace_id: number, of: CopiesOf, per_page: (typeof PAGE_SIZES)[number]) =>
  read(api.sealedCopies.list, { query: { workspace_id, ...of, per_page } })

export const openingsQuery = ({ workspace_id, copy_id }: SealedCopy) =>
  read(api.sealedCopies.openings, { params: { copy_id }, query: { workspace_id } })

/** "Opened 3 times, last 5 minutes ago · refused once" */
export function historyOf({ openings, refusals, last_opened_at }: SealedCopy): string {
  const opened = openings === 0 ? 'Never opened' : `Opened ${times(openings)}, last ${timeAgo(last_opened_at)}`
  return refusals === 0 ? opened : `${opened} · refused ${times(refusals)}`
}

const times = (number: number) => (number === 1 ? 'once' : count(number, 'time'))

/** Why an opening was refused, to whoever looks at the list. */
export const REFUSAL_WORDS: Record<NonNullable<SealedOpening['refusal']>, string> = {
  other_person: 'it was made for somebody else',
  revoked: 'the copy was revoked',
  not_member: 'no member any more',
  deleted: 'the file was deleted',
  infected: 'the file is infected',
  access_ended: 'the group’s access has ended',
  no_right: 'no right to download',
  drm_off: 'DRM was off',
  drm_expired: 'after the last day',
}
