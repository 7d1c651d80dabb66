import { api } from '../../contract/index.ts'
import type { Caller } from './call.ts'
import { dateIn, findByPaths } from './fill.ts'
import { INES, MARTA, personOf } from './people.ts'
import type { DemoQuestion, DemoQuestions } from './room.ts'
import type { Teller } from './teller.ts'
import { nameExperts, passQuestion } from './told-experts.ts'
import { placeAnswer, writeFaq } from './told-faq.ts'
import type { ToldRoom } from './told-room.ts'

/** Lets the groups of a room ask, and Marta answer. Keeps the questions that are there already. */
export async function tellQuestions(teller: Teller, room: ToldRoom, told: DemoQuestions): Promise<void> {
  const { asked, experts, faq, ...rules } = told
  const marta = teller.as(MARTA)
  const params = { workspace_id: room.id }
  const groupOf = await room.groupIds(MARTA)
  const limits = rules.limits.map(({ group, ...limit }) => ({ group_id: groupOf(group), may_ask: true, ...limit }))
  await teller.at(10, '11:00', 1, async () => {
    await marta.call(api.questions.updateSettings, { params, body: { categories: rules.categories, groups: limits } })
  })
  await nameExperts(teller, room, experts)
  const { questions } = await marta.call(api.questions.list, { params, query: {} })
  const isThere = ({ subject }: { subject: string }) => questions.some((each) => each.subject === subject)
  await writeFaq(
    teller,
    room,
    faq.filter((entry) => !isThere(entry)),
  )
  for (const question of asked) {
    const { by, day, time, subject } = question
    const found = questions.find((each) => each.subject === subject)
    const asker = teller.as(personOf(by))
    let question_id = found?.id ?? ''
    if (!found)
      await teller.at(day, time, 1, async () => void (question_id = await ask(asker, room, question, groupOf)))
    const at = { workspace_id: room.id, question_id }
    await work(teller, at, question)
    for (const pass of question.passes ?? []) await passQuestion(teller, at, pass)
    if (question.answer && found?.status !== 'answered')
      await answer(teller, room, question_id, question.answer, groupOf)
    if (question.faq && !found?.faq) await placeAnswer(teller, at, question.faq)
    await room.readQuestion(question_id, question.reads)
  }
}

type GroupOf = (group: string) => number

async function ask(asker: Caller, room: ToldRoom, question: DemoQuestion, groupOf: GroupOf): Promise<string> {
  const { group, subject, text, category, priority, file, page } = question
  const [place] = await findByPaths(asker, room.id, room.folders, [file])
  const body = { subject, text, category, priority, group_id: groupOf(group), file_id: place?.id, page_number: page }
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
  if (dueIn !== undefined) {
    const question = { due_on: dateIn(dueIn), assignee_id: teller.user(MARTA).id, approver_id: teller.user(INES).id }
    await teller.at(day, time, 20, async () => {
      const { due_on } = await marta.call(api.questions.get, { params })
      if (due_on === null) await marta.call(api.questions.update, { params, body: { question } })
    })
  }
  if (note) {
    await teller.at(note.day, note.time, 1, async () => {
      const { work: done } = await ines.call(api.questions.get, { params })
      if (done?.entries.some(({ kind }) => kind === 'note')) return
      await ines.call(api.questions.note, { params, body: { text: note.text } })
    })
  }
  if (!draft) return
  await teller.at(draft.day, draft.time, 1, async () => {
    if ((await marta.call(api.questions.get, { params })).status === 'to_approve') return
    await marta.call(api.questions.update, { params, body: { question: { draft: draft.text } } })
    await marta.call(api.questions.move, { params, body: { step: 'submit' } })
  })
}

async function answer(
  teller: Teller,
  room: ToldRoom,
  question_id: string,
  { day, time, text, files, reach, groups = [] }: NonNullable<DemoQuestion['answer']>,
  groupOf: GroupOf,
): Promise<void> {
  const marta = teller.as(MARTA)
  const params = { workspace_id: room.id, question_id }
  const documents = await findByPaths(marta, room.id, room.folders, files)
  await teller.at(day, time, 1, async () => {
    const question = { draft: text, file_ids: documents.map(({ id }) => id) }
    await marta.call(api.questions.update, { params, body: { question } })
    await marta.call(api.questions.answer, { params, body: { reach, group_ids: groups.map(groupOf) } })
  })
}
