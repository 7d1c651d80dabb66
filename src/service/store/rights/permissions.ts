import { sql } from 'kysely'
import type { Flag } from '../../../contract/endpoints/permissions.ts'
import type { FlagChange } from '../../access/rules.ts'
import type { AdministeredGroup, VisibleFolder } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { statement } from '../../db/statement.ts'
import { notFound } from '../../base/errors.ts'
import { type Activity, type Recording, recordingOf, recordOf } from '../audit/activities.ts'
import { lockedPlace, type Place } from '../folders/folders.ts'

interface Setting extends Recording, Place {
  group_id: number
  flags: Flag[]
  values: boolean[]
  /** The rights are set only if these are still the names. */
  folder_name: string
  group_name: string
  in_draft: boolean
}

type Names = Pick<Setting, 'folder_name' | 'group_name'>

const setting = statement<Setting, Names & { at: string | null }>(
  (values) => sql`
    with ${lockedPlace(values)}, held as materialized (
      select g.id, g.name from locked cross join groups g
      where g.workspace_id = ${values.workspace_id} and g.id = ${values.group_id}
      for no key update of g
    ), subject as (
      select locked.workspace_id, case when ${values.in_draft} then locked.id else held.id end as id, jsonb_build_object('folder_id', jsonb_build_object('after', locked.id))
        || set_rights(locked.workspace_id, held.id, locked.id, locked.id_path, ${values.flags}::text[],
          ${values.values}::boolean[]) as changes
      from locked cross join held where locked.name = ${values.folder_name} and held.name = ${values.group_name}
    ), ${recordOf(values, sql`changes`)}
    select locked.name as folder_name, held.name as group_name, noted.created_at as at
    from locked cross join held left join noted on true`,
)

/**
 * Sets flags of a group on a folder and everything below it, and records the act that `told` makes of the names. Changes
 * of one group wait for each other.
 * @returns the act and its time
 * @throws ApiError 404 if the folder or the group was deleted meanwhile
 */
export async function setFlags<Act extends Activity>(
  db: Db,
  { workspace, ...group }: AdministeredGroup,
  folder: VisibleFolder,
  changes: readonly FlagChange[],
  told: (names: Names) => Act,
): Promise<{ act: Act; at: string }> {
  const place = { organization_id: workspace.organization_id, workspace_id: workspace.id, folder_id: folder.id }
  const flags = changes.map(({ flag }) => flag)
  const values = changes.map(({ value }) => value)
  let names: Names = { folder_name: folder.name, group_name: group.name }
  for (;;) {
    const act = told(names)
    const set = {
      ...place,
      in_draft: folder.in_draft,
      group_id: group.id,
      flags,
      values,
      ...names,
      ...recordingOf(workspace, act),
    }
    const [row] = await setting(db, set)
    if (!row) throw notFound()
    const { at, ...found } = row
    if (at !== null) return { act, at }
    // Another act renamed the folder or the group first.
    names = found
  }
}

const settingRows = statement<
  Record<'workspace_id' | 'group_id' | 'folder_id', number> & {
    id_path: readonly number[]
    flags: Flag[]
    values: (boolean | null)[]
  },
  object
>(
  (to) => sql`
    select from set_rights(${to.workspace_id}, ${to.group_id}, ${to.folder_id}, ${to.id_path}::int[], ${to.flags}::text[],
      ${to.values}::boolean[])`,
)

/** The same for flags that may inherit their value, without a record. Requires the locks. */
export async function setRows(
  db: Db,
  { id: group_id, workspace }: AdministeredGroup,
  { id: folder_id, id_path }: { id: number; id_path: readonly number[] },
  wanted: readonly { flag: Flag; value: boolean | null }[],
): Promise<void> {
  const flags = wanted.map(({ flag }) => flag)
  const values = wanted.map(({ value }) => value)
  await settingRows(db, { workspace_id: workspace.id, group_id, folder_id, id_path, flags, values })
}
