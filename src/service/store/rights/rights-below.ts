import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { ALL_BITS, MIXED_SHIFT } from '../../../contract/endpoints/permissions.ts'
import { bitOf } from '../../../contract/rules.ts'
import type { Work } from '../../../wire/work.ts'
import type { SheetPlace, SheetSetting } from './permission-sheet.ts'

type SheetRow = Reply<Api['permissions']['sheet']>['rows'][number]

const VIEW = bitOf('view')

interface PageFacts {
  /** Folders before the folders inside of them. */
  places: readonly SheetPlace[]
  /** Overrides in these places, and above the first of them. */
  settings: readonly SheetSetting[]
  groupIds: readonly number[]
  /** The caller's groups, which decide which folders are visible; undefined for an admin, who sees all. */
  own: readonly number[] | undefined
  /** Folders whose content is not all in the page. `known` has the rows of those that the caller sees. */
  unfinished: readonly SheetPlace[]
  known: readonly SheetRow[]
}

/** The rights of a group on a folder, and the rights that some of the folders below have and lack, as bits. */
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
 * Computes the rows of a page in two passes: down for the rights, which each folder inherits except for its own
 * overrides; up for what the folders below have in common. Folders that the caller cannot see are left out of both.
 */
export function* rightsBelow(facts: PageFacts): Work<SheetRow[]> {
  const { places, settings, groupIds, own, unfinished, known } = facts
  const columns = [...groupIds, ...(own ?? [])]
  const folders = yield* findingFolders(places, settings, columns)
  const isSeen = ({ cells }: Folder) =>
    !own || cells.slice(groupIds.length).some(({ have, some }) => (have | some) & VIEW)
  const elsewhere = new Set(unfinished.map(({ id }) => id))
  const told = new Map(known.map((row) => [row.id, row]))
  const rows: SheetRow[] = []
  for (let at = places.length - 1; at >= 0; at--) {
    yield
    const [place, folder] = [places[at], folders[at]]
    if (!place || !folder) continue
    const row = elsewhere.has(place.id) ? told.get(place.id) : rowOf(place, folder, groupIds.length)
    const shown = elsewhere.has(place.id) ? row !== undefined : place.id === 0 || isSeen(folder)
    if (row && shown) rows.push(row)
    if (folder.parent && shown) addUp(folder.parent, folder)
  }
  return rows.toReversed()
}

/** Makes the folders with their rights, to which overrides above the page contribute. */
function* findingFolders(
  places: readonly SheetPlace[],
  settings: readonly SheetSetting[],
  groupIds: readonly number[],
): Work<Folder[]> {
  const set = new Map<number, Map<number, SheetSetting>>()
  for (const setting of settings) {
    yield
    const ofFolder = set.get(setting.folder_id)
    if (ofFolder) ofFolder.set(setting.group_id, setting)
    else set.set(setting.folder_id, new Map([[setting.group_id, setting]]))
  }
  const known = new Map<number, Folder>()
  const add = (id: number, parent: Folder | undefined) => {
    const ofFolder = set.get(id)
    const cells = groupIds.map((group, column) => {
      const inherited = parent?.cells[column]?.have ?? 0
      const setting = ofFolder?.get(group)
      return { have: setting ? (inherited & ~setting.set) | setting.value : inherited, some: 0, lacking: 0 }
    })
    const folder = { parent, cells, children: 0 }
    known.set(id, folder)
    return folder
  }
  let above: Folder | undefined
  for (const id of places[0]?.id_path.slice(0, -1) ?? []) above = add(id, above)
  const folders: Folder[] = []
  for (const { id, parent_id } of places) {
    yield
    folders.push(add(id, id === 0 ? undefined : known.get(parent_id)))
  }
  return folders
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
    cell.lacking |= (~below.have & ALL_BITS) | below.lacking
  }
}
