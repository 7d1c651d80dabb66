import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stand } from './stand.ts'

/** Rows in one statement: small enough to stay below the limit of one minute, even on a busy machine. */
const BATCH = 5000

export async function makeWorkspace({ admin }: Stand, name: string): Promise<number> {
  const team = await admin.call<{ id: number }>('POST', '/teams', { team: { name: `Measured: ${name}` } })
  const workspace = { name, team_id: team.id }
  return (await admin.call<{ id: number }>('POST', '/workspaces', { workspace })).id
}

export async function makeFolder({ admin }: Stand, workspace_id: number, name: string): Promise<number> {
  return (await admin.call<{ id: number }>('POST', '/folders', { workspace_id, parent_id: 0, name })).id
}

export async function makeGroup({ admin }: Stand, workspace_id: number, name: string): Promise<number> {
  return (await admin.call<{ id: number }>('POST', '/groups', { group: { name, workspace_id } })).id
}

/** Adds `each` folders to every folder at `depth` (1: All Folders). */
export async function growFolders(
  { db }: Stand,
  workspaceId: number,
  { depth, each, name }: { depth: number; each: number; name: string },
): Promise<void> {
  await sql`
    with new as (
      select nextval(pg_get_serial_sequence('folders', 'id'))::int as id, p.id as parent_id, p.id_path,
        p.last_updated_user_id, n
      from folders p cross join generate_series(1, ${each}::int) n
      where p.workspace_id = ${workspaceId} and cardinality(p.id_path) = ${depth}
    )
    insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
    select ${workspaceId}, id, parent_id, ${name} || ' ' || n, n, id_path || id, last_updated_user_id from new`.execute(
    db,
  )
  await sql`vacuum (analyze) folders`.execute(db)
}

/** Adds rows of files as uploads would leave them, without content. */
export async function putFiles(
  { db }: Stand,
  workspaceId: number,
  { folderId, total }: { folderId: number; total: number },
): Promise<void> {
  for (let from = 1; from <= total; from += BATCH) {
    const numbers = sql`generate_series(${from}::int, ${Math.min(from + BATCH - 1, total)}::int)`
    await sql`
      insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id,
        viewer_status)
      select ${workspaceId}, ${folderId}, name, name, n, n * 977, 'application/pdf', '\\x00', lpad(to_hex(n), 32, '0'),
        'Unsupported'
      from (select n, 'Report ' || n || '.pdf' as name from ${numbers} n) as made`.execute(db)
  }
  await sql`vacuum (analyze) files`.execute(db)
}

/** Waits until the worker has read a document. @throws Error if it has no pages */
export async function untilRead({ admin }: Stand, workspaceId: number, fileId: number): Promise<void> {
  for (;;) {
    const path = `/files/${fileId}?workspace_id=${workspaceId}`
    const { viewer_status } = await admin.call<{ viewer_status: string }>('GET', path)
    if (viewer_status === 'Ready') return
    if (!['Pending', 'Processing'].includes(viewer_status)) throw new Error(`The document is ${viewer_status}.`)
    await sleep(200)
  }
}
