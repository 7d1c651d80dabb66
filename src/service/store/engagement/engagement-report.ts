import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace, VisibleFolder } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import type { Period } from './engaged.ts'
import { listEngagedFiles } from './engaged-files.ts'
import { listEngagedGroups } from './engaged-groups.ts'
import { listEngagedPeople } from './engaged-people.ts'
import { type EngagedTotals, readEngagedTotals } from './engaged-totals.ts'
import { type ReadFile, readFilesTogether } from './read-files.ts'

type Documents = Reply<Api['engagement']['documents']>
type File = Documents['files'][number]

/** The most of each that a printed report has. */
const MOST = { groups: 40, files: 25, people: 100, unread: 100 }
/** Groups that are named beside a file. */
const MOST_NAMED = 3

export interface ReportedFile extends Pick<File, 'outline' | 'title'>, ReadFile {
  page_count: number
  /** The groups that read it longest, and how many more read it. */
  read_by: { name: string; ms: number }[]
  more_groups: number
}

/** The beginning of each list of the engagement in a period, and how long the list is. */
export interface EngagementReport {
  totals: EngagedTotals
  /** Without their days. */
  groups: Reply<Api['engagement']['groups']>['groups']
  all_groups: number
  /** Most read first. */
  files: ReportedFile[]
  all_files: number
  people: (Reply<Api['engagement']['people']>['people'][number] & { group_names: string[] })[]
}

/** Reads what a printed report says, with as many statements for any number of documents. */
export async function readEngagementReport(
  db: Db,
  root: VisibleFolder & { workspace: AdministeredWorkspace },
  period: Period,
): Promise<EngagementReport> {
  const { workspace } = root
  const totals = await readEngagedTotals(db, workspace, period, MOST.unread)
  const groups = await listEngagedGroups(db, workspace, period)
  const { used, all_files } = await listUsedFiles(db, root, period, MOST.files)
  const { people } = await listEngagedPeople(db, workspace, period, { page: 1, per_page: MOST.people })
  const names = new Map(groups.map(({ group_id, name }) => [group_id, name]))
  const namesOf = (group_ids: readonly number[]) => group_ids.flatMap((id) => names.get(id) ?? [])
  return {
    totals,
    groups: groups.slice(0, MOST.groups).map((group) => ({ ...group, days: [] })),
    all_groups: groups.length,
    files: used.map((file) => reportedFile(file, names)),
    all_files,
    people: people.map((person) => ({ ...person, group_names: namesOf(person.group_ids) })),
  }
}

type UsedFile = File & { read: ReadFile }

/** At most some of the files that members of groups used, most read first. Of each, what they did with it together. */
export async function listUsedFiles(
  db: Db,
  root: VisibleFolder & { workspace: AdministeredWorkspace },
  period: Period,
  most: number,
): Promise<{ used: UsedFile[]; all_files: number }> {
  const { rows, total_items } = await listEngagedFiles(db, root, period, { page: 1, per_page: most })
  const files = rows.filter(({ cells }) => cells.some(({ ms, views, downloads }) => ms + views + downloads > 0))
  const ids = files.map(({ file_id }) => file_id)
  const together = await readFilesTogether(db, root.workspace, period, ids)
  const used = files.flatMap((file) => {
    const read = together.get(file.file_id)
    return read ? [{ ...file, read }] : []
  })
  return { used, all_files: total_items }
}

function reportedFile({ outline, title, pages, cells, read }: UsedFile, names: ReadonlyMap<number, string>) {
  const readers = cells.filter(({ ms }) => ms > 0).toSorted((a, b) => b.ms - a.ms || a.group_id - b.group_id)
  const read_by = readers.slice(0, MOST_NAMED).map(({ group_id, ms }) => ({ name: names.get(group_id) ?? '', ms }))
  return { ...read, outline, title, page_count: pages, read_by, more_groups: readers.length - read_by.length }
}
