import { api } from '../../contract/index.ts'
import { MARTA, personOf } from './people.ts'
import type { DemoPass } from './room.ts'
import type { Teller } from './teller.ts'
import type { ToldRoom } from './told-room.ts'

export interface QuestionAt {
  workspace_id: number
  question_id: string
}

/** Lets Marta name members experts, to whom she passes questions. */
export async function nameExperts(teller: Teller, room: ToldRoom, emails: string[]): Promise<void> {
  const marta = teller.as(MARTA)
  const params = { workspace_id: room.id }
  const named = await marta.call(api.experts.list, { params })
  const missing = emails.filter((email) => !named.some((expert) => expert.email === email))
  await teller.at(9, '09:30', 1, async () => {
    for (const email of missing) {
      const body = { user_id: teller.user(personOf(email)).id }
      await marta.call(api.experts.add, { params, body })
    }
  })
}

/** Passes a question to an expert, who replies. */
export async function passQuestion(teller: Teller, params: QuestionAt, pass: DemoPass): Promise<void> {
  const { to, day, time, text, reply } = pass
  const [marta, expert] = [teller.as(MARTA), teller.as(personOf(to))]
  const { id } = teller.user(personOf(to))
  let hasReplied = false
  await teller.at(day, time, 1, async () => {
    const { work } = await marta.call(api.questions.get, { params })
    const found = work?.passes.find((each) => each.expert.id === id)
    hasReplied = Boolean(found?.replied_at)
    if (!found) await marta.call(api.experts.pass, { params, body: { user_ids: [id], text } })
  })
  if (!reply || hasReplied) return
  await teller.at(reply.day, reply.time, 1, async () => {
    const { asked_at } = await expert.call(api.experts.getPassed, { params })
    await expert.call(api.experts.reply, { params, body: { kind: reply.kind, text: reply.text, asked_at } })
  })
}
