import { type Api, api } from '../../contract/index.ts'
import { OPENING_REFUSALS } from '../../contract/shown-sentences.ts'
import { enterFile } from '../access/enter/file.ts'
import { enterGroup } from '../access/enter/group.ts'
import { enterSealedCopy } from '../access/enter/sealed-copy.ts'
import { administerWorkspace, enterWorkspace } from '../access/enter/workspace.ts'
import { judgeOpening, type KnownCopy } from '../access/judge-opening.ts'
import type { AdministeredWorkspace } from '../access/scopes.ts'
import type { Actor } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { hashOf, newCode, userCodeHash } from '../documents/sealed/release-key.ts'
import { ApiError, notFound, refusal } from '../base/errors.ts'
import type { Handlers } from '../http/context.ts'
import { pageHeaders } from '../content/page-headers.ts'
import { record, recordAs } from '../store/audit/activities.ts'
import { naming } from '../store/audit/audit.ts'
import {
  findOpenableCopy,
  getSealedCopy,
  insertSealedOpening,
  listSealedCopies,
  listSealedOpenings,
  setRevoked,
} from '../store/downloads/sealed-copies.ts'
import {
  findWaiting,
  releaseToWaiting,
  releaseToWindow,
  type WaitingReader,
} from '../store/downloads/sealed-releases.ts'

export const sealedCopies: Handlers<Api['sealedCopies']> = {
  list: async ({ db, actor, setHeaders }, { query }) => {
    const workspace = await administerWorkspace(db, actor, query.workspace_id)
    if (query.group_id !== undefined) await enterGroup(db, workspace, query.group_id)
    const { copies, total } = await listSealedCopies(db, workspace, query, query)
    setHeaders(pageHeaders(api.sealedCopies.list, query, total))
    return copies
  },

  openings: async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, query.workspace_id)
    return listSealedOpenings(db, await enterSealedCopy(db, workspace, params.copy_id))
  },

  revoke: async ({ db, actor }, { params, body }) =>
    change(db, await administerWorkspace(db, actor, body.workspace_id), params.copy_id, 'revoked'),

  restore: async ({ db, actor }, { params, body }) =>
    change(db, await administerWorkspace(db, actor, body.workspace_id), params.copy_id, 'restored'),

  request: async ({ db, actor }, { query }) => {
    const found = await findWaiting(db, userCodeHash(query.user_code), { userId: actor.id, now: actor.now })
    if (!found) throw notFound()
    const { workspace_id, copy_id, challenge } = found
    const title = (await mayView(db, actor, found)) ? found.title : ''
    return { workspace_id, copy_id, challenge: challenge.toString('base64url'), title }
  },

  open: async ({ db, actor }, { params, body }) => {
    const copy = await findOpenableCopy(db, params.copy_id)
    if (copy?.workspace_id !== body.workspace_id || copy.organization_id !== actor.organization_id) throw notFound()
    // The user of the copy learns why it does not open, even after leaving the workspace.
    if (copy.user_id !== actor.id) await enterWorkspace(db, actor, copy.workspace_id)

    const refusal = (await judgeOpening(db, actor, copy)) ?? null
    await insertSealedOpening(db, copy, actor.id, refusal)
    const act = refusal ? 'sealed_file_refused' : 'sealed_file_opened'
    await recordAs(db, copy.workspace_id, actor, { act, params: { title: copy.title }, subject_id: copy.file_id })
    if (refusal) return { opened: false, code: '', refusal, message: OPENING_REFUSALS[refusal] }

    return { opened: true, code: await release(db, actor, copy, body), refusal, message: 'The document may be opened.' }
  },
}

/**
 * @returns the code for the window; "" if the reader waits for a code to be entered
 * @throws ApiError 404 if no reader waits for the entered code, 409 for a challenge that was used before
 */
async function release(
  db: Db,
  actor: Actor,
  copy: KnownCopy,
  { challenge: text, user_code }: { challenge: string; user_code?: string | undefined },
): Promise<string> {
  const challenge = Buffer.from(text, 'base64url')
  const by = { userId: actor.id, sessionId: actor.session_id, now: actor.now }
  if (user_code !== undefined) {
    const entered = { challenge, user_code_hash: userCodeHash(user_code) }
    if (!(await releaseToWaiting(db, copy, entered, by))) throw notFound()
    return ''
  }
  const code = newCode()
  if (!(await releaseToWindow(db, copy, { challenge, code_hash: hashOf(code) }, by))) throw refusal('opening_already')
  return code
}

/** Whether the caller may view the file now: its title may have changed since the copy was made. */
async function mayView(db: Db, actor: Actor, { workspace_id, file_id }: WaitingReader): Promise<boolean> {
  try {
    await enterFile(db, await enterWorkspace(db, actor, workspace_id), file_id)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

async function change(db: Db, workspace: AdministeredWorkspace, copyId: string, done: 'revoked' | 'restored') {
  const copy = await enterSealedCopy(db, workspace, copyId)
  const changed = await setRevoked(db, copy, done === 'revoked')
  const row = await getSealedCopy(db, copy)
  if (changed) {
    const holder = { id: copy.user_id, first_name: row.user_name, last_name: '', email: '' }
    const named = naming(holder, { title: row.title })
    await record(db, workspace, { act: `sealed_copy_${done}`, ...named, subject_id: copy.file_id })
  }
  return row
}
