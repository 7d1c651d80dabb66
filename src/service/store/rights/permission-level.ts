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
import { isRenumbered } from '../folders/outlines.ts'
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
  const shown = all.filter(sight.isSeen)
  const level = levelOf(folder, outline)
  const isCounted = isRenumbered(workspace)
  let at = 0
  const elements = await mapInTurns(shown, (subfolder) => {
    at++
    const children = sight.countBelow(subfolder, subfolder.children)
    const { id, name, index } = subfolder
    const place = isCounted ? at : index
    return entryOf(level, { id, name, index: place }, children, rights.on(subfolder, children)[0])
  })
  if (id === 0) {
    const [bits] = rights.onParent(0, shown.length, sight.isSeen)
    elements.unshift(entryOf(ABOVE_ALL, { id, name, index }, shown.length, bits))
  }
  return JsonList.of(elements)
}

interface Subfolder {
  id: number
  parent_id: number
  name: string
  index: number
  /** The number of all its subfolders. */
  children: number
}

/** All subfolders, where the caller sees nearly all of them; otherwise those that the caller sees. */
async function listSubfolders(db: Db, folder: VisibleFolder, looking: Promise<Sight>): Promise<Subfolder[]> {
  if (folder.rights.view) {
    const pieces = await subfoldersOf(db, { workspace: folder.workspace.id, parent: folder.id })
    return pieces.flatMap((piece) => subfoldersIn(piece, folder.id))
  }
  const { isShown } = await looking
  const { rows } = await sql<Subfolder>`
    select f.id, f.parent_id, f.name, f.index, ${allSubfolders} as children from folders f where ${isShown}
    order by f.index`.execute(db)
  return rows
}

/** Some subfolders by columns: so many numbers are read several times as fast from one text as from rows. */
interface Piece {
  names: string[]
  ids: string
  indexes: string
  children: string
}

const subfoldersOf = statement<{ workspace: number; parent: number }, Piece>(
  ({ workspace, parent }) => sql`
    select json_agg(s.name order by s.index) as names, ${inOrder('id')} as ids, ${inOrder('index')} as indexes,
      ${inOrder('children')} as children
    from (
      select f.id, f.name, f.index, ${allSubfolders} as children from folders f
      where f.workspace_id = ${workspace} and f.parent_id = ${parent} and f.deleted_at is null
    ) s
    group by s.index / ${sql.lit(TOGETHER)} order by s.index / ${sql.lit(TOGETHER)}`,
)

const TOGETHER = 500
const inOrder = (column: string) => sql`array_agg(${sql.ref(`s.${column}`)} order by s.index)::text`

function subfoldersIn({ names, ...columns }: Piece, parent_id: number): Subfolder[] {
  const [ids, indexes, children] = [columns.ids, columns.indexes, columns.children].map(
    (numbers) => JSON.parse(`[${numbers.slice(1, -1)}]`) as number[],
  )
  return names.map((name, at) => {
    return { id: ids?.[at] ?? 0, parent_id, name, index: indexes?.[at] ?? 0, children: children?.[at] ?? 0 }
  })
}

/** What all subfolders of a level have in common: pieces of their JSON. */
interface Level {
  /** Undefined below the root, where each subfolder is a tree. */
  id_tree: number | undefined
  id_path: string
  /** Up to the last number. Undefined for the root, which has no outline. */
  outline: string | undefined
  parent_id: string
}

function levelOf({ id, id_path }: VisibleFolder, outline: string): Level {
  return {
    id_tree: id_path[1],
    id_path: `,"id_path":"${id_path.join('.')}.`,
    outline: `","outline":"${outline === '' ? '' : `${outline}.`}`,
    parent_id: `","parent_id":${id},"children":`,
  }
}

const ABOVE_ALL: Level = {
  id_tree: 0,
  id_path: ',"id_path":"',
  outline: undefined,
  parent_id: '","parent_id":0,"children":',
}

function entryOf(
  level: Level,
  { id, name, index }: Omit<Subfolder, 'parent_id' | 'children'>,
  children: number,
  bits = 0,
): string {
  const outline = level.outline === undefined ? '","outline":"' : level.outline + index
  return `{"id":${id},"id_tree":${level.id_tree ?? id},"name":${JSON.stringify(name)},"position":${index},"index":${index},${FLAGS_OF[bits]}${level.id_path}${id}${outline}${level.parent_id}${children}}`
}

/** The fields of the flags, for all bits. */
const FLAGS_OF: readonly string[] = Array.from({ length: 1 << (2 * MIXED_SHIFT) }, (_, bits) => {
  const isSet = (flag: Flag, shift: number) => (bits & (bitOf(flag) << shift)) !== 0
  return FLAGS.map((flag) => `"${flag}":${isSet(flag, 0)},"is_mixed_${flag}":${isSet(flag, MIXED_SHIFT)}`).join(',')
})
