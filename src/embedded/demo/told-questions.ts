import { api } from '../../contract/index.ts'
import type { Caller } from './call.ts'
import { dateIn, findByPaths } from './fill.ts'
import { INES, MARTA, personOf } from './people.ts'
import type { DemoQuestion, DemoQuestions } from './room.ts'
import type { Teller } from './teller.ts'
import type { ToldRoom } from './told-room.ts'

/** Lets the groups of a room ask, and Marta answer. Keeps the questions that are there already. */
export async function tellQuestions(teller: Teller, room: ToldRoom, { asked, ...rules }: DemoQuestions): Promise<void> {
  const marta = teller.as(MARTA)
  const params = { workspace_id: room.id }
  const groups = await marta.call(api.groups.list, { query: params })
  const idOf = (name: string) => groups.find((group) => group.name === name)?.id ?? 0
  const limits = rules.limits.map(({ group, ...limit }) => ({ group_id: idOf(group), may_ask: true, ...limit }))
  await teller.at(10, '11:00', 1, async () => {
    await marta.call(api.questions.updateSettings, { params, body: { categories: rules.categories, groups: limits } })
  })
  const { questions } = await marta.call(api.questions.list, { params, query: {} })
  for (const question of asked) {
    const { by, day, time, subject } = question
    const found = questions.find((each) => each.subject === subject)
    const asker = teller.as(personOf(by))
    let question_id = found?.id ?? ''
    if (!found) await teller.at(day, time, 1, async () => void (question_id = await ask(asker, room, question, idOf)))
    await work(teller, { workspace_id: room.id, question_id }, question)
    if (question.answer && found?.status !== 'answered') await answer(teller, room, question_id, question.answer, idOf)
  }
}

type IdOf = (group: string) => number

async function ask(asker: Caller, room: ToldRoom, question: DemoQuestion, idOf: IdOf): Promise<string> {
  const { group, subject, text, category, priority, file, page } = question
  const [place] = await findByPaths(asker, room.id, room.folders, [file])
  const body = { subject, text, category, priority, group_id: idOf(group), file_id: place?.id, page_number: page }
  const params = { workspace_id: room.id }
  return (await asker.call(api.questions.ask, { params, body: { question: body } })).id
}

/** Sets when the answer is due, adds the note, and submits the draft. */
async function work(
  teller: Teller,
  params: { workspace_id: number; question_id: string },
  { day, time, note, draft, dueIn }: DemoQuestion,
): Promise<void> {
  const [ines, marta] = [teller.as(INES), teller.as(MARTA)]
  const { status, due_on, work: done } = await marta.call(api.questions.get, { params })
  if (dueIn !== undefined && due_on === null) {
    const question = { due_on: dateIn(dueIn), assignee_id: teller.user(MARTA).id, approver_id: teller.user(INES).id }
    await teller.at(day, time, 20, async () => {
      await marta.call(api.questions.update, { params, body: { question } })
    })
  }
  if (note && !done?.entries.some(({ kind }) => kind === 'note')) {
    await teller.at(note.day, note.time, 1, async () => {
      await ines.call(api.questions.note, { params, body: { text: note.text } })
    })
  }
  if (!draft || status === 'to_approve') return
  await teller.at(draft.day, draft.time, 1, async () => {
    await marta.call(api.questions.update, { params, body: { question: { draft: draft.text } } })
    await marta.call(api.questions.move, { params, body: { step: 'submit' } })
  })
}

async function answer(
  teller: Teller,
  room: ToldRoom,
  question_id: string,
  { day, time, text, files, reach, groups = [] }: NonNullable<DemoQuestion['answer']>,
  idOf: IdOf,
): Promise<void> {
  const marta = teller.as(MARTA)
  const params = { workspace_id: room.id, question_id }
  const documents = await findByPaths(marta, room.id, room.folders, files)
  await teller.at(day, time, 1, async () => {
    const question = { draft: text, file_ids: documents.map(({ id }) => id) }
    await marta.call(api.questions.update, { params, body: { question } })
    await marta.call(api.questions.answer, { params, body: { reach, group_ids: groups.map(idOf) } })
  })
}
