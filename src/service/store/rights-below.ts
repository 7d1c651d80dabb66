import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import type { SheetPlace, SheetSetting } from './permission-sheet.ts'

type SheetRow = Reply<Api['permissions']['sheet']>['rows'][number]

const VIEW = 1
const FLAG_BITS = 7
const MIXED_SHIFT = 3

interface PageFacts {
  /** Folders before those inside of them. */
  places: readonly SheetPlace[]
  /** In these places, and above the first of them. */
  settings: readonly SheetSetting[]
  groupIds: readonly number[]
  /** The caller's groups, by which a folder is seen; undefined for an admin, who sees all. */
  own: readonly number[] | undefined
  /** Of these not everything below is in the page; `known` has those of them that the caller sees. */
  unfinished: readonly SheetPlace[]
  known: readonly SheetRow[]
}

/** What a group has on a folder, and what some of the folders below have and lack. */
interface Cell {
  have: number
  some: number
  lacking: number
}

interface Folder {
  parent: Folder | undefined
  cells: Cell[]
  children: number
}

/**
 * The rows of a page in two passes over it: down for the rights, each folder having those of the one above but for what
 * was set on it; up for what the folders below have in common. Folders that the caller cannot see are left out, of that too.
 */
export function rightsBelow({ places, settings, groupIds, own, unfinished, known }: PageFacts): SheetRow[] {
  const folders = foldersOf(places, settings, [...groupIds, ...(own ?? [])])
  const isSeen = ({ cells }: Folder) =>
    !own || cells.slice(groupIds.length).some(({ have, some }) => (have | some) & VIEW)
  const elsewhere = new Set(unfinished.map(({ id }) => id))
  const told = new Map(known.map((row) => [row.id, row]))
  const rows: SheetRow[] = []
  for (const [at, place] of [...places.entries()].toReversed()) {
    const folder = folders[at]
    if (!folder) continue
    const row = elsewhere.has(place.id) ? told.get(place.id) : rowOf(place, folder, groupIds.length)
    const shown = elsewhere.has(place.id) ? row !== undefined : place.id === 0 || isSeen(folder)
    if (row && shown) rows.push(row)
    if (folder.parent && shown) addUp(folder.parent, folder)
  }
  return rows.toReversed()
}

/** With the rights that each has; what is above the page has a part in them as well. */
function foldersOf(places: readonly SheetPlace[], settings: readonly SheetSetting[], groupIds: readonly number[]) {
  const set = Map.groupBy(settings, ({ folder_id }) => folder_id)
  const known = new Map<number, Folder>()
  const add = (id: number, parent: Folder | undefined) => {
    const ofFolder = set.get(id)
    const cells = groupIds.map((group, column) => {
      const inherited = parent?.cells[column]?.have ?? 0
      const setting = ofFolder?.find(({ group_id }) => group_id === group)
      return { have: setting ? (inherited & ~setting.set) | setting.value : inherited, some: 0, lacking: 0 }
    })
    const folder = { parent, cells, children: 0 }
    known.set(id, folder)
    return folder
  }
  let above: Folder | undefined
  for (const id of places[0]?.id_path.slice(0, -1) ?? []) above = add(id, above)
  return places.map(({ id, parent_id }) => add(id, id === 0 ? undefined : known.get(parent_id)))
}

function rowOf({ id, parent_id, name, index }: SheetPlace, { cells, children }: Folder, columns: number): SheetRow {
  const rights = cells.slice(0, columns).map(({ have, some, lacking }) => have | ((some & lacking) << MIXED_SHIFT))
  return { id, parent_id, name, index, children, rights }
}

function addUp(parent: Folder, { cells }: Folder): void {
  parent.children++
  for (const [column, cell] of parent.cells.entries()) {
    const below = cells[column]
    if (!below) continue
    cell.some |= below.have | below.some
    cell.lacking |= (~below.have & FLAG_BITS) | below.lacking
  }
}
