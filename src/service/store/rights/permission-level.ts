import { sql } from 'kysely'
import { ALL_BITS, type Flag, FLAGS, MIXED_SHIFT } from '../../../contract/endpoints/permissions.ts'
import { bitOf, isAdminGroup } from '../../../contract/rules.ts'
import type { Group, VisibleFolder } from '../../access/scopes.ts'
import { JsonList } from '../../db/json-list.ts'
import { together } from '../../db/pipelined-dialect.ts'
import type { Db } from '../../db/pool.ts'
import { statement } from '../../db/statement.ts'
import { mapInTurns } from '../../base/turns.ts'
import { getAncestry } from '../folders/folder-rows.ts'
import { allSubfolders, lookInto, type Sight } from '../folders/subfolders.ts'
import { type LevelRights, readLevelRights } from './level-rights.ts'

const EVERY_RIGHT: LevelRights = { on: () => [ALL_BITS], onParent: () => [ALL_BITS] }

/**
 * Rights of a group on the direct subfolders, in sibling order; for the root, "All Folders" itself comes first. The JSON is
 * written here, because objects of so many fields would cost more than all that is read.
 */
export async function listFolderPermissions(db: Db, group: Group, folder: VisibleFolder): Promise<JsonList> {
  const { workspace, id, name, index } = folder
  const [{ outline }, rights, sight, all] = await together(db, (one) => {
    const looking = lookInto(one, folder)
    const rights = isAdminGroup(group) ? EVERY_RIGHT : readLevelRights(one, workspace, [group.id], [id])
    return Promise.all([
      getAncestry(one, workspace, folder.id_path),
      rights,
      looking,
      listSubfolders(one, folder, looking),
    ])
  })
  const shown = all.filter((subfolder) => sight.isSeen({ id: subfolder.id, parent_id: id }))
  const level = levelOf(folder, outline)
  const elements = await mapInTurns(shown, (subfolder) => {
    const place = { id: subfolder.id, parent_id: id }
    const children = sight.countBelow(place, subfolder.children)
    return entryOf(level, { ...subfolder, children }, rights.on(place, children)[0])
  })
  if (id === 0) {
    const root = { parent_id: 0, id_tree: 0, path: '', outline: undefined }
    const [bits] = rights.onParent(0, shown.length, sight.isSeen)
    elements.unshift(entryOf(root, { id, name, index, children: shown.length }, bits))
  }
  return JsonList.of(elements)
}

interface Subfolder {
  id: number
  name: string
  index: number
  /** The number of all its subfolders. */
  children: number
}

/** All subfolders, where the caller sees nearly all of them; otherwise those that the caller sees. */
async function listSubfolders(db: Db, folder: VisibleFolder, looking: Promise<Sight>): Promise<Subfolder[]> {
  if (folder.rights.view) return subfoldersOf(db, { workspace: folder.workspace.id, parent: folder.id })
  const { isShown } = await looking
  const { rows } = await sql<Subfolder>`
    select f.id, f.name, f.index, ${allSubfolders} as children from folders f where ${isShown} order by f.index`.execute(
    db,
  )
  return rows
}

const subfoldersOf = statement<{ workspace: number; parent: number }, Subfolder>(
  ({ workspace, parent }) => sql`
    select f.id, f.name, f.index, ${allSubfolders} as children from folders f
    where f.workspace_id = ${workspace} and f.parent_id = ${parent} and f.deleted_at is null order by f.index`,
)

/** What all subfolders of a level have in common. */
interface Level {
  parent_id: number
  /** Undefined below the root, where each subfolder has its own. */
  id_tree: number | undefined
  /** The beginning of `id_path`. */
  path: string
  /** The beginning of `outline`; undefined for the root, which has none. */
  outline: string | undefined
}

function levelOf({ id, id_path }: VisibleFolder, outline: string): Level {
  const within = outline === '' ? '' : `${outline}.`
  return { parent_id: id, id_tree: id_path[1], path: `${id_path.join('.')}.`, outline: within }
}

function entryOf(
  { parent_id, id_tree, path, outline }: Level,
  { id, name, index, children }: Subfolder,
  bits = 0,
): string {
  const place = `"id":${id},"id_tree":${id_tree ?? id},"name":${JSON.stringify(name)},"position":${index},"index":${index}`
  const within = `"id_path":"${path}${id}","outline":"${outline === undefined ? '' : outline + index}"`
  return `{${place},${FLAGS_OF[bits]},${within},"parent_id":${parent_id},"children":${children}}`
}

/** The fields of the flags, for all bits. */
const FLAGS_OF: readonly string[] = Array.from({ length: 1 << (2 * MIXED_SHIFT) }, (_, bits) => {
  const isSet = (flag: Flag, shift: number) => (bits & (bitOf(flag) << shift)) !== 0
  return FLAGS.map((flag) => `"${flag}":${isSet(flag, 0)},"is_mixed_${flag}":${isSet(flag, MIXED_SHIFT)}`).join(',')
})
