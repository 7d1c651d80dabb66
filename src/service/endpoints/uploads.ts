import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import { openFolderForUpload } from '../access/enter/folder.ts'
import { enterUpload } from '../access/enter/upload.ts'
import { enterWorkspace } from '../access/enter/workspace.ts'
import { finishUpload } from '../documents/upload/finish-upload.ts'
import { CHUNK_BYTES, expiryOf, receiveChunk } from '../documents/upload/receive-chunk.ts'
import { refusal } from '../base/errors.ts'
import type { Handlers } from '../http/context.ts'
import { created, recordForAudit, removed } from '../store/audit/audit.ts'
import { deleteUpload, getUpload, insertUpload, lockUpload, type UploadRow } from '../store/files/uploads.ts'

export const uploads: Handlers<Api['uploads']> = {
  create: async ({ db, actor, services: { config } }, { body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    const folder = await openFolderForUpload(db, workspace, body.folder_id)
    const size = Number(body.size)
    if (size > config.maxUploadBytes) throw refusal('file_above_limit', { bytes: config.maxUploadBytes })

    const { file_name } = body
    const sha256 = body.sha256 === undefined ? null : Buffer.from(body.sha256, 'hex')
    const row = await insertUpload(db, folder, { file_name, size, sha256, expires_at: expiryOf(actor.now, config) })
    const changes = created({ upload_id: row.id, folder_id: folder.id, file_size: String(size) })
    await recordForAudit(db, workspace, { act: 'upload_began', params: { name: file_name }, subject_id: null, changes })

    return onTheWire(row)
  },

  append: async ({ actor, services, body }, { query }) =>
    onTheWire(await receiveChunk(services, actor, { ...query, offset: Number(query.offset) }, body)),

  get: async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    return onTheWire(await getUpload(db, await enterUpload(db, workspace, params.id)))
  },

  finish: async ({ db, actor, services }, { params, body }) =>
    finishUpload(db, services, await enterWorkspace(db, actor, body.workspace_id), params.id),

  remove: async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const upload = await enterUpload(db, workspace, params.id)
    const { file_id, file_name } = await lockUpload(db, upload)
    if (file_id !== null) throw refusal('upload_finished')

    // The sweep removes the bytes later, because this transaction may still be rolled back.
    await deleteUpload(db, upload)
    const changes = removed({ upload_id: upload.id, folder_id: upload.folder_id })
    const act = { act: 'upload_cancelled', params: { name: file_name } } as const
    await recordForAudit(db, workspace, { ...act, subject_id: null, changes })

    return { id: upload.id, status: 'deleted' }
  },
}

function onTheWire(row: UploadRow): Reply<Api['uploads']['get']> {
  const { id, workspace_id, folder_id, file_name, size, received, file_id, created_at, expires_at } = row
  const place = { id, workspace_id, folder_id, file_name, file_id }
  return { ...place, size: String(size), offset: String(received), chunk_size: CHUNK_BYTES, created_at, expires_at }
}
