import { sql } from 'kysely'
import type { TextLayer } from '../../contract/endpoints/groups.ts'
import type { Db } from '../db/pool.ts'
import { refusal } from '../base/errors.ts'
import { protectionsIn, textLayerIn } from './grants.ts'
import type { FindableFile, ReadableFile, SelectableFile } from './scopes.ts'
import { openForViewing } from './view-pages.ts'
import type { Workspace } from './scopes.ts'

/** What the caller may do with the pages of a file beside viewing them. */
export interface Reading {
  /** Printing takes the right to the file itself, not only to a sealed copy. */
  printable: boolean
  text_layer: TextLayer
}

export async function findReading(db: Db, { folder }: ReadableFile): Promise<Reading> {
  const { workspace, rights, id_path } = folder
  if (workspace.admin) return { printable: true, text_layer: 'select' }
  const path = sql`${id_path}::int[]`
  const { rows } = await sql<{ drm: boolean; text_layer: TextLayer }>`
    select p.drm, t.text_layer from ${protectionsIn(workspace, path)} p cross join ${textLayerIn(workspace, path)} t`.execute(
    db,
  )
  if (!rows[0]) throw new Error('an aggregate gave no row')
  return { printable: rights.download && !rows[0].drm, text_layer: rows[0].text_layer }
}

/** @throws ApiError 404 as `openForViewing`, and 403 if the text layer of the caller's groups is `none` */
export async function openForFinding(
  db: Db,
  workspace: Workspace,
  fileId: number,
  version?: number,
): Promise<FindableFile> {
  const { file, text_layer } = await open(db, workspace, fileId, version)
  if (text_layer === 'none') throw refusal('no_text_layer')
  return file as FindableFile
}

/** @throws ApiError as `openForFinding`, and 403 unless the text layer is `select` */
export async function openForSelecting(
  db: Db,
  workspace: Workspace,
  fileId: number,
  version?: number,
): Promise<SelectableFile> {
  const { file, text_layer } = await open(db, workspace, fileId, version)
  if (text_layer !== 'select') throw refusal(text_layer === 'find' ? 'find_only' : 'no_text_layer')
  return file as SelectableFile
}

async function open(db: Db, workspace: Workspace, fileId: number, version: number | undefined) {
  const file = await openForViewing(db, workspace, fileId, version)
  return { file, text_layer: (await findReading(db, file)).text_layer }
}
