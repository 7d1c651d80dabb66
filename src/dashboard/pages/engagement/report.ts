import { t } from '@lingui/core/macro'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { saveBlob } from '../../ui/words/csv.ts'
import { number } from '../../ui/words/format.ts'
import { pdfOf, printedFor } from '../../ui/words/pdf.ts'
import { formatWorkbook, type WorkbookSheet } from '../../ui/words/workbook.ts'
import { type Cell, type EngagedGroup, type Span } from './engaged.ts'

type Cells = readonly (string | number)[]

/** At most so many times 100 documents and people are read. */
const MOST_PAGES = 100

interface Part<Row> {
  rows: Row[]
  total_pages: number
}

interface Workspace {
  id: number
  name: string
}

/** How a report of some days is made and saved in each format. */
export const REPORTS = {
  async xlsx({ id, name }: Workspace, span: Span): Promise<void> {
    const title = t`${name} engagement`
    saveBlob(`${title}.xlsx`, await makeReport(id, span, title))
  },
  async pdf({ id, name }: Workspace, span: Span): Promise<void> {
    const query = { ...span, ...printedFor() }
    const pieces = await call(api.engagement.print, { params: { id }, query })
    saveBlob(`${t`${name} engagement`}.pdf`, pdfOf(pieces))
  },
}

/** Groups, documents and people in a workbook, over the same days as the page. */
export async function makeReport(workspaceId: number, span: Span, title: string): Promise<Blob> {
  const params = { id: workspaceId }
  const { groups, from, to } = await call(api.engagement.groups, { params, query: { ...span } })
  const period = { from, to, per_page: 100 as const }
  const files = await readAll(async (page) => {
    const reply = await call(api.engagement.documents, { params, query: { ...period, page } })
    return { rows: reply.files, total_pages: reply.pagination.total_pages }
  })
  const people = await readAll(async (page) => {
    const reply = await call(api.engagement.people, { params, query: { ...period, page } })
    return { rows: reply.people, total_pages: reply.pagination.total_pages }
  })
  const names = new Map(groups.map(({ group_id, name }) => [group_id, name]))
  const minutesOf = (cells: readonly Cell[]) => groups.map((group) => wordFor(group, cells))
  return formatWorkbook(title, [
    sheetOf(t`Groups`, [24, ...Array.from({ length: 11 }, () => 16)], groupHead(), groups.map(groupCells)),
    sheetOf(
      t`Documents`,
      [12, 60, 8, ...groups.map(() => 18)],
      [t`Index`, t`Document`, t`Pages`, ...groups.map(({ name }) => name)],
      [
        ...files.rows.map(({ outline, title: name, pages, cells }) => [outline, name, pages, ...minutesOf(cells)]),
        ...endOf(files),
      ],
    ),
    sheetOf(
      t`People`,
      [32, 40, 16, 10, 12, 26, 26],
      [t`Person`, t`Groups`, t`Reading (min)`, t`Views`, t`Downloads`, t`First (UTC)`, t`Last (UTC)`],
      [
        ...people.rows.map(({ user_name, group_ids, ms, views, downloads, first_at, last_at }) => {
          const of = group_ids.flatMap((id) => names.get(id) ?? []).join(', ')
          return [user_name, of, minutes(ms), views, downloads, first_at ?? '', last_at ?? '']
        }),
        ...endOf(people),
      ],
    ),
  ])
}

async function readAll<Row>(read: (page: number) => Promise<Part<Row>>): Promise<{ rows: Row[]; isWhole: boolean }> {
  const { rows, total_pages } = await read(1)
  const all = [...rows]
  for (let page = 2; page <= Math.min(total_pages, MOST_PAGES); page += 1) all.push(...(await read(page)).rows)
  return { rows: all, isWhole: total_pages <= MOST_PAGES }
}

/** A last line that says how many are listed, where not all are. */
function endOf({ rows, isWhole }: { rows: readonly unknown[]; isWhole: boolean }): Cells[] {
  const count = number(rows.length)
  return isWhole ? [] : [['', t`Only the first ${count} are listed.`]]
}

const sheetOf = (
  name: string,
  widths: readonly number[],
  head: readonly string[],
  rows: readonly Cells[],
): WorkbookSheet => ({
  name,
  widths,
  head,
  count: rows.length,
  row: (at) => ({ cells: rows[at] ?? [] }),
})

/** Minutes with one decimal, so that sheets can add them up. */
const minutes = (ms: number) => Math.round(ms / 6000) / 10

function groupHead(): string[] {
  const times = [t`Reading (min)`, t`As many days before (min)`]
  const counts = [t`Documents opened`, t`Documents with access`, t`Views`, t`Downloads`]
  return [t`Group`, t`People`, t`Active`, ...times, ...counts, t`First (UTC)`, t`Last (UTC)`]
}

const groupCells = (group: EngagedGroup): Cells => [
  group.name,
  group.members,
  group.active,
  minutes(group.ms),
  minutes(group.former_ms),
  group.opened,
  group.viewable,
  group.views,
  group.downloads,
  group.first_at ?? '',
  group.last_at ?? '',
]

function wordFor({ group_id }: EngagedGroup, cells: readonly Cell[]): string | number {
  const cell = cells.find((each) => each.group_id === group_id)
  if (!cell) return ''
  if (cell.ms > 0) return minutes(cell.ms)
  if (cell.views > 0) return t`opened`
  if (cell.downloads > 0) return t`downloaded`
  return cell.access ? t`not opened` : t`no access`
}
