import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { ALL_BITS, type Flag, MIXED_SHIFT } from '../../../contract/endpoints/permissions.ts'
import { bitOf, isAdminGroup } from '../../../contract/rules.ts'
import type { Group, VisibleFolder } from '../../access/scopes.ts'
import { together } from '../../db/pipelined-dialect.ts'
import type { Db } from '../../db/pool.ts'
import { statement } from '../../db/statement.ts'
import { mapInTurns } from '../../base/turns.ts'
import { getAncestry } from '../folders/folder-rows.ts'
import { allSubfolders, lookInto, type Sight } from '../folders/subfolders.ts'
import { type LevelRights, readLevelRights } from './level-rights.ts'

type Shown = Reply<Api['permissions']['list']>[number]

const EVERY_RIGHT: LevelRights = { on: () => [ALL_BITS], onParent: () => [ALL_BITS] }

/** Rights of a group on the direct subfolders, in sibling order; for the root, "All Folders" itself comes first. */
export async function listFolderPermissions(db: Db, group: Group, folder: VisibleFolder): Promise<Shown[]> {
  const { workspace, id } = folder
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
  const level = levelOf(folder, outline, { rights, sight })
  const shown = all.filter((subfolder) => sight.isSeen({ id: subfolder.id, parent_id: id }))
  const entries = await mapInTurns(shown, (subfolder) => entryOf(level, subfolder))
  if (id !== 0) return entries
  const [bits = 0] = rights.onParent(0, entries.length, sight.isSeen)
  const { name, index } = folder
  const place = { id, parent_id: 0, id_tree: 0, id_path: '0', name, index, position: index, outline: '' }
  return [{ ...place, children: entries.length, ...flagsOf(bits) }, ...entries]
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
  /** The beginnings of `id_path` and `outline`. */
  path: string
  outline: string
  rights: LevelRights
  sight: Sight
}

function levelOf({ id, id_path }: VisibleFolder, outline: string, seen: Pick<Level, 'rights' | 'sight'>): Level {
  const within = outline === '' ? '' : `${outline}.`
  return { parent_id: id, id_tree: id_path[1], path: `${id_path.join('.')}.`, outline: within, ...seen }
}

function entryOf({ parent_id, id_tree, path, outline, rights, sight }: Level, subfolder: Subfolder): Shown {
  const { id, name, index } = subfolder
  const place = { id, parent_id }
  const children = sight.countBelow(place, subfolder.children)
  const [bits = 0] = rights.on(place, children)
  return {
    ...place,
    ...flagsOf(bits),
    id_tree: id_tree ?? id,
    id_path: path + id,
    name,
    index,
    position: index,
    outline: outline + index,
    children,
  }
}

type Flags = Omit<Shown, keyof Subfolder | 'id_tree' | 'position' | 'id_path' | 'outline' | 'parent_id'>

const flagsOf = (bits: number): Flags => FLAGS_OF[bits] as Flags

const FLAGS_OF: readonly Flags[] = Array.from({ length: 1 << (2 * MIXED_SHIFT) }, (_, bits) => {
  const isSet = (flag: Flag, shift = 0) => (bits & (bitOf(flag) << shift)) !== 0
  return {
    view: isSet('view'),
    download: isSet('download'),
    upload: isSet('upload'),
    is_mixed_view: isSet('view', MIXED_SHIFT),
    is_mixed_download: isSet('download', MIXED_SHIFT),
    is_mixed_upload: isSet('upload', MIXED_SHIFT),
  }
})
