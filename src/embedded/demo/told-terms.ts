import { api } from '../../contract/index.ts'
import type { Caller } from './call.ts'
import type { DemoPerson } from './people.ts'
import { type DemoTerms, termsAt } from './room.ts'
import type { Teller } from './teller.ts'
import type { ToldRoom } from './told-room.ts'

/** Issues these terms as the version with this number, unless there is one. Whoever enters from then on accepts them. */
export async function issueTerms(
  teller: Teller,
  room: ToldRoom,
  by: DemoPerson,
  version: number,
  terms: DemoTerms | undefined,
): Promise<void> {
  const caller = teller.as(by)
  const params = { id: room.id }
  const issued = await caller.call(api.terms.listVersions, { params })
  if (!terms || issued.length >= version) return
  await teller.history.issueAt(teller.moment(terms.day, terms.time), async () => {
    const { sha256 } = await draft(caller, room.id, terms)
    await caller.call(api.terms.issue, { params, body: { sha256 } })
  })
}

async function draft(caller: Caller, id: number, { title, asks_name, text, pdf }: DemoTerms) {
  if (!pdf) return caller.call(api.terms.saveDraft, { params: { id }, body: { title, asks_name, text } })
  const query = { title, asks_name, file_name: `${title}.pdf` }
  return caller.call(api.terms.setDraftPdf, { params: { id }, query }, await termsAt(pdf).content())
}
