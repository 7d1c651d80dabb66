import type { Language } from '../../contract/endpoints/deal/notifications.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { enqueueAll, type JobPayloads } from '../jobs/queue.ts'
import { findLooks, type RoomLook } from '../store/branding/sender.ts'
import {
  claimPassReminders,
  claimReminders,
  type DueQuestion,
  type Reminder,
} from '../store/questions/due-questions.ts'
import { logoOf, fromNameOf } from './look/origin.ts'
import { writeQuestions } from './question-mail.ts'
import { withoutLinks } from './without-links.ts'

interface Words {
  locale: string
  subject(count: number, workspace: string): string
  greeting(name: string): string
  intro(workspace: string): string
  state(question: DueQuestion, day: string): string
  open: string
  why: string
}

const WORDS: Record<Language, Words> = {
  en: {
    locale: 'en-GB',
    subject: (count, workspace) =>
      count === 1 ? `A question in ${workspace} is due` : `${count} questions in ${workspace} are due`,
    greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
    intro: (workspace) => `these questions in ${workspace} await you:`,
    state: ({ overdue, to_approve }, day) =>
      `${to_approve ? 'Awaits approval' : 'Awaits an answer'}, ${overdue ? `was due on ${day}` : `due on ${day}`}`,
    open: 'Open the questions',
    why: 'You get this mail as an admin of the data room: the day before a question is due, and once when it is overdue.',
  },
  de: {
    locale: 'de-DE',
    subject: (count, workspace) =>
      count === 1 ? `Eine Frage in ${workspace} ist fällig` : `${count} Fragen in ${workspace} sind fällig`,
    greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
    intro: (workspace) => `diese Fragen in ${workspace} warten auf Sie:`,
    state: ({ overdue, to_approve }, day) =>
      `${to_approve ? 'Wartet auf Freigabe' : 'Wartet auf eine Antwort'}, ${overdue ? `war fällig am ${day}` : `fällig am ${day}`}`,
    open: 'Fragen öffnen',
    why: 'Sie erhalten diese E-Mail als Admin des Datenraums: am Tag vor der Fälligkeit einer Frage, und einmal, wenn sie überfällig ist.',
  },
}

/** Mails reminders of all questions that are due. Each is enqueued in the transaction that marks its questions. */
export async function remindOfQuestions(db: Db, publicUrl: string, now: Date): Promise<void> {
  const remindOfSome = () =>
    transaction(db, async (tx) => {
      const { claimed, reminders } = await claimReminders(tx, now)
      const looks = await findLooks(tx, [...new Set(reminders.map(({ workspace_id }) => workspace_id))])
      const mails = reminders.map((reminder) => mailOf(reminder, publicUrl, looks.get(reminder.workspace_id)))
      await enqueueAll(tx, 'mail', mails)
      return claimed
    })
  const remindSomeExperts = () =>
    transaction(db, async (tx) => {
      const { claimed, experts } = await claimPassReminders(tx, now)
      await enqueueAll(
        tx,
        'expert_mail',
        experts.map((expert) => ({ ...expert, reason: 'due' as const })),
      )
      return claimed
    })
  for (const remind of [remindOfSome, remindSomeExperts]) while ((await remind()) > 0);
}

/** Names are never links or markup. */
function mailOf({ questions, ...to }: Reminder, publicUrl: string, look: RoomLook | undefined): JobPayloads['mail'] {
  const words = WORDS[to.language]
  const url = `${publicUrl}/workspaces/${to.workspace_id}/questions`
  const days = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeZone: 'UTC' })
  const mail = writeQuestions({
    to: to.email,
    language: to.language,
    look,
    subject: words.subject(questions.length, to.workspace_name),
    greeting: words.greeting(withoutLinks(to.first_name.trim())),
    intro: words.intro(withoutLinks(to.workspace_name)),
    items: questions.map((question) => ({
      title: `${question.number}. ${withoutLinks(question.subject)}`,
      state: words.state(question, days.format(new Date(question.due_on))),
      url: `${url}?question=${question.id}`,
    })),
    open: words.open,
    url,
    why: words.why,
  })
  const to_admin = { workspace_id: to.workspace_id, user_id: to.user_id }
  return { ...mail, ...fromNameOf(look), ...(look && logoOf(look)), to_admin }
}
