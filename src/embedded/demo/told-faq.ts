import { api } from '../../contract/index.ts'
import { MARTA } from './people.ts'
import type { DemoEntry, DemoQuestion } from './room.ts'
import type { Teller } from './teller.ts'
import type { QuestionAt } from './told-experts.ts'
import type { ToldRoom } from './told-room.ts'

/** Lets Marta answer what nobody has asked. */
export async function writeFaq(teller: Teller, room: ToldRoom, entries: DemoEntry[]): Promise<void> {
  const marta = teller.as(MARTA)
  const groupOf = await room.groupIds(MARTA)
  const params = { workspace_id: room.id }
  for (const { day, time, groups, reads, ...question } of entries) {
    const body = { question, reach: groups ? ('groups' as const) : ('all' as const), group_ids: groups?.map(groupOf) }
    let id = ''
    await teller.at(
      day,
      time,
      1,
      async () => void ({ id } = await marta.call(api.questions.writeFaq, { params, body })),
    )
    await room.readQuestion(id, reads)
  }
}

/** Takes the answer of a question among the FAQ. */
export async function placeAnswer(
  teller: Teller,
  params: QuestionAt,
  { day, time }: NonNullable<DemoQuestion['faq']>,
): Promise<void> {
  await teller.at(day, time, 1, async () => {
    await teller.as(MARTA).call(api.questions.placeFaq, { params, body: {} })
  })
}
