import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { Input } from '../../../../contract/endpoint.ts'
import { MOST_LETTERS, QUESTION_PRIORITIES } from '../../../../contract/endpoints/deal/questions.ts'
import type { api } from '../../../../contract/index.ts'
import { hasControls, PILE_OF_MARKS } from '../../../../contract/texts/characters.ts'
import { PRIORITIES } from '../../../shared/asking/priorities.ts'
import { formatWorkbook } from '../../../ui/words/workbook.ts'
import type { Settings } from '../questions.ts'

export type Imported = Input<typeof api.questions.import>['body']['questions'][number]

export interface Reading {
  valid: Imported[]
  /** A sentence for each line that is not valid. */
  problems: string[]
}

type Row = { row: number; cells: readonly string[] }

const columnNames = () => [t`Group`, t`Subject`, t`Question`, t`Priority`, t`Category`, t`Draft answer`]

/** An empty workbook for an import, with a second sheet that names the groups, priorities and categories. */
export function formatTemplate({ groups, categories }: Settings): Promise<Blob> {
  const known = [
    groups.map(({ name }) => name),
    QUESTION_PRIORITIES.map((each) => i18n._(PRIORITIES[each].label)),
    categories,
  ]
  const count = Math.max(...known.map(({ length }) => length))
  const values = {
    name: t`Possible values`,
    widths: [30, 14, 30],
    head: [t`Group`, t`Priority`, t`Category`],
    count,
    row: (at: number) => ({ cells: known.map((column) => column[at] ?? '') }),
  }
  const head = columnNames()
  const lines = { name: t`Questions`, widths: [24, 44, 60, 12, 20, 60], head, count: 0, row: () => ({ cells: [] }) }
  return formatWorkbook(t`Questions to import`, [lines, values])
}

/** Reads the lines below the head. Columns are found by the names in it, in any order. */
export function readQuestions([head, ...rows]: readonly Row[], settings: Settings): Reading {
  const names = columnNames().map(folded)
  const places = names.map((name) => head?.cells.findIndex((cell) => folded(cell) === name) ?? -1)
  const missing = columnNames().filter((_name, at) => at < 2 && (places[at] ?? -1) < 0)
  if (missing.length > 0)
    return { valid: [], problems: missing.map((name) => t`The first line has no column “${name}”.`) }
  const reading: Reading = { valid: [], problems: [] }
  for (const { row, cells } of rows) {
    const [group = '', subject = '', text = '', priority = '', category = '', draft = ''] = places.map((at) =>
      at < 0 ? '' : (cells[at] ?? '').trim(),
    )
    if ([group, subject, text, priority, category, draft].every((cell) => cell === '')) continue
    const line = lineOf({ group, subject, text, priority, category, draft }, settings)
    if (typeof line === 'string') reading.problems.push(t`Line ${row}: ${line}`)
    else reading.valid.push(line)
  }
  return reading
}

type Cells = Record<'group' | 'subject' | 'text' | 'priority' | 'category' | 'draft', string>

/** @returns a question, or why the line is none */
function lineOf({ group, subject, text, priority, category, draft }: Cells, settings: Settings): Imported | string {
  const named = settings.groups.filter(({ name }) => folded(name) === folded(group))
  if (group === '') return t`The group is missing.`
  if (named.length !== 1 || !named[0])
    return named.length === 0 ? t`There is no group “${group}”.` : t`Several groups are named “${group}”.`
  if (subject === '') return t`The subject is missing.`
  const rank = priority === '' ? 'normal' : priorityOf(priority)
  if (!rank) return t`There is no priority “${priority}”.`
  const kind = settings.categories.find((each) => folded(each) === folded(category))
  if (category !== '' && kind === undefined) return t`There is no category “${category}”.`
  const texts = { subject: subject.replace(/\s+/g, ' '), text, draft }
  const names = [
    ['subject', t`Subject`],
    ['text', t`Question`],
    ['draft', t`Draft answer`],
  ] as const
  const unfit = names.find(([field]) => !fits(texts[field], MOST_LETTERS[field]))
  if (unfit) {
    const [, field] = unfit
    return t`“${field}” is too long or has characters that are not allowed.`
  }
  const sent = { group_id: named[0].group_id, ...texts, priority: rank }
  return { ...sent, ...(kind !== undefined && { category: kind }) }
}

/** As the service will judge it. */
const fits = (text: string, most: number) =>
  !PILE_OF_MARKS.test(text) && !hasControls(text) && text.normalize('NFC').length <= most

const priorityOf = (text: string) =>
  QUESTION_PRIORITIES.find((each) => [each, folded(i18n._(PRIORITIES[each].label))].includes(folded(text)))

const folded = (text: string) => text.trim().normalize('NFC').toLocaleLowerCase()
