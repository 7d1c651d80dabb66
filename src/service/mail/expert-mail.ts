import type { Language } from '../../contract/endpoints/deal/notifications.ts'
import { type Mail, RefusedByServer } from '../../mail/transport.ts'
import type { ManagedQuestion } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { enqueueAll, type JobPayloads } from '../jobs/queue.ts'
import { noteOutcomes } from '../store/notifications/refused-addresses.ts'
import { spendOnPassingEach } from '../store/people/mail-budgets.ts'
import { type ExpertLetter, readLetter } from '../store/questions/expert-letters.ts'
import type { Asked } from '../store/questions/passes.ts'
import { readLogo, withLogo } from './look/logo.ts'
import { fromNameOf } from './look/origin.ts'
import { writeQuestions } from './question-mail.ts'
import { withoutLinks } from './without-links.ts'

interface Words {
  locale: string
  subject: Record<'passed' | 'due', (count: number, workspace: string) => string>
  greeting(name: string): string
  passed(asker: string, workspace: string): string
  due(workspace: string): string
  terms: string
  state(day: string, overdue: boolean): string
  open: string
  why: string
}

const WORDS: Record<Language, Words> = {
  en: {
    locale: 'en-GB',
    subject: {
      passed: (_count, workspace) => `Your help is asked for in ${workspace}`,
      due: (count, workspace) =>
        count === 1
          ? `A question for you in ${workspace} is due`
          : `${count} questions for you in ${workspace} are due`,
    },
    greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
    passed: (asker, workspace) => `${asker} asks for your help with a question in ${workspace}.`,
    due: (workspace) => `your help is awaited in ${workspace}.`,
    terms: 'You can read more once you have accepted the terms of the data room.',
    state: (day, overdue) => (overdue ? `Was due on ${day}` : `Due on ${day}`),
    open: 'Open the questions for you',
    why: 'You get this mail as an expert of the data room: when a question is passed to you, the day before it is due, and once when it is overdue.',
  },
  de: {
    locale: 'de-DE',
    subject: {
      passed: (_count, workspace) => `Ihre Hilfe ist gefragt in ${workspace}`,
      due: (count, workspace) =>
        count === 1
          ? `Eine Frage an Sie in ${workspace} ist fällig`
          : `${count} Fragen an Sie in ${workspace} sind fällig`,
    },
    greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
    passed: (asker, workspace) => `${asker} bittet um Ihre Hilfe bei einer Frage in ${workspace}.`,
    due: (workspace) => `in ${workspace} wird auf Ihre Hilfe gewartet.`,
    terms: 'Mehr lesen Sie, sobald Sie die Bedingungen des Datenraums angenommen haben.',
    state: (day, overdue) => (overdue ? `War fällig am ${day}` : `Fällig am ${day}`),
    open: 'Fragen an Sie öffnen',
    why: 'Sie erhalten diese E-Mail als Experte des Datenraums: wenn eine Frage an Sie weitergegeben wird, am Tag vor ihrer Fälligkeit und einmal, wenn sie überfällig ist.',
  },
}

/** Mails experts that a question waits for them, unless the budgets of their mailboxes for this hour are used up. */
export async function mailExperts(db: Db, question: ManagedQuestion, experts: readonly Asked[]): Promise<void> {
  if (experts.length === 0) return
  const { workspace, id } = question
  const { actor } = workspace
  const emails = experts.map(({ email }) => email)
  const allowed = await spendOnPassingEach(db, actor, emails)
  const mails = experts
    .filter(({ email }) => allowed.has(email))
    .map((expert) => ({
      workspace_id: workspace.id,
      user_id: expert.id,
      questions: [{ id, asked_at: expert.asked_at }],
      reason: 'passed' as const,
    }))
  await enqueueAll(db, 'expert_mail', mails, actor.request_id)
}

interface Delivery<Options> {
  db: Db
  publicUrl: string
  send: (mail: Mail, options?: Options) => Promise<void>
  clock: () => Date
}

/** Writes and sends a mail to an expert, by the rights of this moment. What was withdrawn since is not told. */
export async function deliverExpertMail<Options>(
  { db, publicUrl, send, clock }: Delivery<Options>,
  asked: JobPayloads['expert_mail'],
  options?: Options,
): Promise<void> {
  const now = clock()
  const today = now.toISOString().slice(0, 10)
  const letter = await readLetter(db, asked, today)
  if (!letter) return
  const { look } = letter
  const logo = look && (await readLogo(db, look))
  const mail = withLogo(mailOf(letter, asked, { publicUrl, today }), logo)
  const { workspace_id, user_id } = asked
  const note = (outcome: 'taken' | 'refused') =>
    noteOutcomes(db, workspace_id, { taken: [], refused: [], [outcome]: [user_id] }, now)
  try {
    await send({ ...mail, ...fromNameOf(look) }, options)
  } catch (error) {
    if (error instanceof RefusedByServer) await note('refused')
    throw error
  }
  // Otherwise the mail would count as not sent.
  await note('taken').catch(() => {})
}

function mailOf(
  letter: ExpertLetter,
  { workspace_id, reason }: JobPayloads['expert_mail'],
  { publicUrl, today }: { publicUrl: string; today: string },
): Mail {
  const { email: to, language, workspace_name, terms_await, questions } = letter
  const words = WORDS[language]
  const url = `${publicUrl}/workspaces/${workspace_id}/questions?view=passed`
  const room = withoutLinks(workspace_name)
  const said = reason === 'passed' ? words.passed(withoutLinks(questions[0]?.asked_by ?? ''), room) : words.due(room)
  const days = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeZone: 'UTC' })
  const state = (due_on: string | null) =>
    due_on === null ? '' : words.state(days.format(new Date(due_on)), due_on < today)
  const items = questions.map(({ id, subject, due_on }) => ({
    title: withoutLinks(subject),
    state: state(due_on),
    url: `${url}&passed=${id}`,
  }))
  return writeQuestions({
    to,
    language,
    look: letter.look,
    // Nothing of a workspace is told before its terms are accepted, not even how many questions there are.
    subject: words.subject[terms_await ? 'passed' : reason](questions.length, workspace_name),
    greeting: words.greeting(withoutLinks(letter.first_name.trim())),
    intro: terms_await ? `${said} ${words.terms}` : said,
    items: terms_await ? [] : items,
    open: words.open,
    url,
    why: words.why,
  })
}
