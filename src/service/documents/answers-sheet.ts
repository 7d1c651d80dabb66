import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import { timesIn } from './layout/times.ts'

type Answer = Reply<Api['terms']['listAnswers']>[number]
type Language = 'en' | 'de'

const LABELS = {
  en: {
    title: 'Answers to the terms of',
    columns: [
      'Person',
      'E-mail',
      'Company',
      'Terms',
      'Answer',
      'When',
      'From',
      'Typed name',
      'SHA-256 of the text or file',
    ],
    answers: { accepted: 'Accepted', declined: 'Declined', awaited: 'Awaited' },
    version: 'version',
  },
  de: {
    title: 'Antworten auf die Bedingungen von',
    columns: [
      'Person',
      'E-Mail',
      'Unternehmen',
      'Bedingungen',
      'Antwort',
      'Wann',
      'Von',
      'Getippter Name',
      'SHA-256 des Textes oder der Datei',
    ],
    answers: { accepted: 'Angenommen', declined: 'Abgelehnt', awaited: 'Ausstehend' },
    version: 'Version',
  },
} as const

/** What the printed record of answers says, in the language and time zone of its reader. */
export function answersSheet(
  answers: AsyncIterable<Answer>,
  { language, timeZone }: { language: Language; timeZone: string },
) {
  const { title, columns } = LABELS[language]
  return { title, columns: [...columns], widest: 3, rows: textsOf(answers, language, timesIn(language, timeZone)) }
}

async function* textsOf(answers: AsyncIterable<Answer>, language: Language, time: (at: string) => string) {
  const words = LABELS[language]
  for await (const { title, version, group_name, file_name, answer, answered_at, ...each } of answers) {
    const terms = [`${title}, ${words.version} ${version}`, group_name, file_name].filter(Boolean).join(' · ')
    const when = answered_at === null ? '' : time(answered_at)
    yield [
      each.user_name,
      each.email,
      each.company,
      terms,
      words.answers[answer],
      when,
      each.address,
      each.typed_name,
      each.sha256,
    ]
  }
}
