import type { Language } from '../../contract/endpoints/deal/notifications.ts'
import type { Mail } from '../../mail/transport.ts'
import { html } from '../../wire/html.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { enqueueAll } from '../jobs/queue.ts'
import { claimReminders, type DueQuestion, type Reminder } from '../store/questions/due-questions.ts'
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
      const mails = reminders.map((reminder) => mailOf(reminder, publicUrl))
      await enqueueAll(tx, 'mail', mails)
      return claimed
    })
  let claimed: number
  do claimed = await remindOfSome()
  while (claimed > 0)
}

/** Names are never links or markup. */
function mailOf({ questions, ...to }: Reminder, publicUrl: string): Mail {
  const words = WORDS[to.language]
  const url = `${publicUrl}/workspaces/${to.workspace_id}/questions`
  const days = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeZone: 'UTC' })
  const items = questions.map((question) => ({
    title: `${question.number}. ${withoutLinks(question.subject)}`,
    state: words.state(question, days.format(new Date(question.due_on))),
    url: `${url}?question=${question.id}`,
  }))
  const [greeting, intro] = [
    words.greeting(withoutLinks(to.first_name.trim())),
    words.intro(withoutLinks(to.workspace_name)),
  ]
  const text = [
    `${greeting}\n\n${intro}`,
    items.map(({ title, state }) => `- ${title}\n  ${state}`).join('\n'),
    `${words.open}: ${url}`,
    words.why,
  ]
  const markup = html`<!doctype html>
    <html lang="${to.language}">
      <body style="font-family: system-ui, sans-serif; color: #101a1c; line-height: 1.5">
        <p>${greeting}</p>
        <p>${intro}</p>
        <ul style="padding-left: 20px">
          ${items.map(
            (item) =>
              html`<li style="margin: 6px 0">
                <a href="${item.url}" style="color: #0b5d66">${item.title}</a><br /><span
                  style="font-size: 13px; color: #4b5a5e"
                  >${item.state}</span
                >
              </li>`,
          )}
        </ul>
        <p style="font-size: 13px; color: #4b5a5e">${words.why}</p>
      </body>
    </html> `
  return {
    to: to.email,
    subject: words.subject(items.length, to.workspace_name).replace(/\s+/g, ' '),
    text: `${text.join('\n\n')}\n`,
    html: markup.markup,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
