import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { priorityName } from '../../../shared/asking/priorities.ts'
import { saveBlob } from '../../../ui/words/csv.ts'
import { formatWorkbook } from '../../../ui/words/workbook.ts'
import { type Filters, lookOf } from '../questions.ts'

type Line = Reply<typeof api.questions.listTexts>['questions'][number]

interface Workspace {
  id: number
  name: string
  admin: boolean
}

interface Column {
  label: string
  width: number
  of: (line: Line) => string | number
}

const columns = (admin: boolean): Column[] => [
  { label: t`Number`, width: 9, of: ({ number }) => number ?? '' },
  { label: t`State`, width: 14, of: ({ status }) => i18n._(lookOf(status).label) },
  { label: t`Group`, width: 20, of: ({ group }) => group?.name ?? '' },
  { label: t`Subject`, width: 44, of: ({ subject }) => subject },
  { label: t`Question`, width: 60, of: ({ text }) => text },
  { label: t`Answer`, width: 60, of: ({ answer }) => answer },
  { label: t`Priority`, width: 11, of: ({ priority }) => (priority ? priorityName(priority) : '') },
  { label: t`Category`, width: 18, of: ({ category }) => category ?? '' },
  { label: t`Document or folder`, width: 34, of: ({ place }) => place?.title ?? '' },
  { label: t`Page`, width: 7, of: ({ place }) => place?.page_number ?? '' },
  { label: t`Asked by`, width: 24, of: ({ asked_by }) => asked_by?.name ?? '' },
  { label: t`Asked (UTC)`, width: 26, of: ({ asked_at }) => asked_at ?? '' },
  { label: t`Answered (UTC)`, width: 26, of: ({ answered_at }) => answered_at ?? '' },
  ...(admin
    ? [
        { label: t`Assigned to`, width: 24, of: ({ assignee }: Line) => assignee?.name ?? '' },
        { label: t`With expert`, width: 24, of: ({ experts }: Line) => experts.map(({ name }) => name).join(', ') },
        { label: t`Due`, width: 12, of: ({ due_on }: Line) => due_on ?? '' },
      ]
    : []),
]

/** Saves all questions that match the filters as a workbook, as far as the person may see them. */
export async function exportQuestions({ id, name, admin }: Workspace, filters: Filters): Promise<void> {
  const lines: Line[] = []
  const query = { ...filters, per_page: 100 as const }
  for (let after: string | undefined; ;) {
    const page = await call(api.questions.listTexts, {
      params: { workspace_id: id },
      query: { ...query, after },
    })
    lines.push(...page.questions)
    if (page.next === null) break
    after = page.next
  }
  const title = t`Questions of ${name}`
  saveBlob(`${title}.xlsx`, await formatQuestions(title, lines, admin))
}

export function formatQuestions(title: string, lines: readonly Line[], admin: boolean): Promise<Blob> {
  const shown = columns(admin)
  const sheet = {
    name: t`Questions`,
    widths: shown.map(({ width }) => width),
    head: shown.map(({ label }) => label),
    count: lines.length,
    row: (at: number) => ({ cells: lines.slice(at, at + 1).flatMap((line) => shown.map(({ of }) => of(line))) }),
  }
  return formatWorkbook(title, [sheet])
}
