import { createHash } from 'node:crypto'
import { api } from '../../../contract/index.ts'
import { samplePdf } from '../documents/sample-pdf.ts'
import type { Client } from '../client.ts'
import type { Room } from '../room.ts'
import type { TestService } from '../start-service.ts'
import { addMember, type World } from '../world.ts'
import { issuePdfTerms } from './terms.ts'

export const TERMS_PDF = samplePdf([{ content: 'BT /F 14 Tf 60 700 Td (Keep it secret) Tj ET' }])
export const TERMS_HASH = createHash('sha256').update(TERMS_PDF).digest('hex')

export interface DealRecords {
  workspace_id: number
  terms_id: number
  question_id: string
}

/** Adds what a copy must keep beside files: a PDF of terms, a staged right, and a question that an expert was asked. */
export async function addDealRecords({ alice, bob, mallory: expert }: World, room: Room): Promise<DealRecords> {
  const { workspace_id, group_id } = room
  const inRoom = { workspace_id }
  await alice.call(api.questions.updateSettings, { params: inRoom, body: { groups: [{ group_id, may_ask: true }] } })
  const question = { subject: 'Is VAT due?', text: 'On the sale?' }
  const { id: question_id } = await bob.call(api.questions.ask, { params: inRoom, body: { question } })
  const advisers = await alice.call(api.groups.create, { body: { group: { name: 'Advisers', workspace_id } } })
  await addMember(alice, workspace_id, advisers.id, expert)
  await expert.call(api.workspaces.get, { params: { id: workspace_id } })
  await alice.call(api.experts.add, { params: inRoom, body: { user_id: expert.id } })
  const passed = { user_ids: [expert.id], text: 'Please look.' }
  await alice.call(api.experts.pass, { params: { ...inRoom, question_id }, body: passed })
  const staged = { folder_id: await room.folder('Staged'), group_id, rights: { download: true } }
  await alice.call(api.stagedRights.stage, { params: { id: workspace_id }, body: { changes: [staged] } })
  const terms_id = await issuePdfTerms(alice, workspace_id, TERMS_PDF, { group_id })
  return { workspace_id, terms_id, question_id }
}

/** The hash of the PDF as it is served, what is staged, and the passes of the question. */
export async function readDealRecords(
  { url }: Pick<TestService, 'url'>,
  alice: Pick<Client, 'call'>,
  { workspace_id, terms_id, question_id }: DealRecords,
) {
  const params = { id: workspace_id }
  const { expiring_url } = await alice.call(api.terms.pages, { params: { ...params, terms_id } })
  const pdf = await (await fetch(url + new URL(expiring_url).pathname)).arrayBuffer()
  const { changes } = await alice.call(api.stagedRights.list, { params })
  const { work } = await alice.call(api.questions.get, { params: { workspace_id, question_id } })
  return {
    sha256: createHash('sha256').update(new Uint8Array(pdf)).digest('hex'),
    staged: changes.map(({ path, group_id, after, staged_by }) => ({ path, group_id, after, staged_by })),
    passes: work?.passes.map(({ expert, asked_at, replied_at }) => ({ expert, asked_at, replied_at })),
  }
}
