import { sql } from 'kysely'
import type { Damage, Integrity, Original } from '../../blobs/integrity.ts'
import type { Log } from '../../../wire/log.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueueDamageMail } from '../../mail/damage.ts'
import { enqueueTermsMail } from '../../mail/terms-fault.ts'
import { recordAs } from '../audit/activities.ts'
import type { Doer } from '../audit/audit.ts'
import { findLook } from '../branding/sender.ts'
import { listNamedPdfs } from '../terms/unscanned-pdfs.ts'
import { listAdminAddresses } from '../workspaces/admin-addresses.ts'
import { type DocumentKey, showInFiles } from './documents.ts'

/** The actor of damage that no user caused: the activity and the audit entry name the product. */
const PRODUCT: Doer = {
  id: 0,
  first_name: 'Strongroom',
  last_name: '',
  email: '',
  ip: '',
  request_id: '',
  personal_key: undefined,
}

/** Marks content as damaged wherever it is used, and tells the admins of each workspace. @returns whether it is news */
export async function recordDamage(db: Db, blobId: string, damage: Damage, url: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    const found = { damage, damage_told_at: null, checked_at: sql<Date>`now()` }
    const marked = await tx
      .updateTable('documents')
      .set({ ...found, damaged_at: sql`now()` })
      .where('blob_id', '=', blobId)
      .where('damage', 'is', null)
      .returning('workspace_id')
      .execute()
    for (const { workspace_id } of marked) {
      await showInFiles(tx, workspace_id, [blobId])
      await recordInFiles(tx, { workspace_id, blob_id: blobId })
    }
    const terms = await tx
      .updateTable('terms_pdfs')
      .set(found)
      .where('blob_id', '=', blobId)
      .where('damage', 'is', null)
      .returning('workspace_id')
      .execute()
    const workspaceIds = new Set([...marked, ...terms].map(({ workspace_id }) => workspace_id))
    for (const id of workspaceIds) await tellAdmins(tx, id, url)
    return workspaceIds.size > 0
  })
}

/** Marks damaged content, and clears the mark of undamaged content. */
export const noteDamageIn =
  (db: Db, url: string, log: Pick<Log, 'error'>) =>
  async (blobId: string, damage: Damage | undefined): Promise<void> => {
    if (damage) log.error({ blob_id: blobId.slice(0, 8), damage }, 'stored content is damaged')
    await (damage ? recordDamage(db, blobId, damage, url) : clearDamage(db, blobId))
  }

/** Checks content that could not be drawn or stamped for damage. @throws ApiError 422 if it is damaged */
export const examineIn =
  (db: Db, integrity: Integrity) =>
  async (blobId: string): Promise<void> => {
    const original = await findOriginal(db, blobId)
    if (original) await integrity.examine(original)
  }

/** Clears the mark of content that is undamaged again, such as after a restore. */
export async function clearDamage(db: Db, blobId: string): Promise<void> {
  await transaction(db, async (tx) => {
    const cleared = await tx
      .updateTable('documents')
      .set({ damage: null, damaged_at: null, checked_at: sql`now()` })
      .where('blob_id', '=', blobId)
      .where('damage', 'is not', null)
      .returning('workspace_id')
      .execute()
    for (const { workspace_id } of cleared) await showInFiles(tx, workspace_id, [blobId])
    await tx
      .updateTable('terms_pdfs')
      .set({ damage: null, damage_told_at: null, checked_at: sql`now()` })
      .where('blob_id', '=', blobId)
      .where('damage', 'is not', null)
      .execute()
  })
}

async function recordInFiles(db: Db, { workspace_id, blob_id }: DocumentKey): Promise<void> {
  const files = await listNamed(db, workspace_id, [blob_id])
  const acts = files.map(({ id, title }) => ({
    act: 'file_damaged' as const,
    params: { title },
    subject_id: id,
  }))
  if (acts.length > 0) await recordAs(db, workspace_id, PRODUCT, ...acts)
}

/** Files with the content as one of their versions, except files in the trash. */
async function listNamed(db: Db, workspace_id: number, blobIds: readonly string[]) {
  return db
    .selectFrom('file_versions as v')
    .innerJoin('files as f', (join) =>
      join.onRef('f.workspace_id', '=', 'v.workspace_id').onRef('f.id', '=', 'v.file_id'),
    )
    .select(['f.id', 'f.title', 'v.version'])
    .where('v.workspace_id', '=', workspace_id)
    .where(sql<boolean>`v.blob_id = any(${blobIds})`)
    .where('f.deleted_at', 'is', null)
    .orderBy('f.id')
    .orderBy('v.version')
    .execute()
}

/** A failing disk causes many findings at once: the first mail goes out now, and later findings share a later one. */
const MAIL_PAUSE = '10 minutes'
const toldLately = (of: string) =>
  sql.join(
    ['documents', 'terms_pdfs'].map(
      (table) => sql`exists (select from ${sql.table(table)} t where t.workspace_id = ${sql.ref(of)}.workspace_id
        and t.damage is not null and t.damage_told_at > now() - ${MAIL_PAUSE}::interval)`,
    ),
    sql` or `,
  )
const isUntold = (of: string) =>
  sql<boolean>`${sql.ref(of)}.damage is not null and ${sql.ref(of)}.damage_told_at is null and not (${toldLately(of)})`

/** Mails the admins of each workspace the findings since their last mail, unless that mail is recent. */
export async function tellOfDamage(db: Db, url: string): Promise<void> {
  const { rows } = await sql<{ workspace_id: number }>`
    select d.workspace_id from documents d where ${isUntold('d')}
    union select p.workspace_id from terms_pdfs p where ${isUntold('p')}`.execute(db)
  for (const { workspace_id } of rows) await transaction(db, (tx) => tellAdmins(tx, workspace_id, url))
}

async function tellAdmins(db: Db, workspace_id: number, url: string): Promise<void> {
  const { rows } = await sql<{ blob_id: string; pdf_id: number | null }>`
    with told as (
      update documents d set damage_told_at = now() where d.workspace_id = ${workspace_id} and ${isUntold('d')}
      returning d.blob_id
    ), told_terms as (
      update terms_pdfs p set damage_told_at = now() where p.workspace_id = ${workspace_id} and ${isUntold('p')}
      returning p.blob_id, p.id
    )
    select blob_id, null::int as pdf_id from told union all select blob_id, id from told_terms`.execute(db)
  const blobIds = rows.filter(({ pdf_id }) => pdf_id === null).map(({ blob_id }) => blob_id)
  const files = blobIds.length > 0 ? await listNamed(db, workspace_id, blobIds) : []
  const titles = files.map(({ title, version }) => `${title}, version ${version}`)
  const pdfIds = rows.flatMap(({ pdf_id }) => pdf_id ?? [])
  const pdfs = pdfIds.length > 0 ? await listNamedPdfs(db, workspace_id, pdfIds) : []
  const look = titles.length + pdfs.length > 0 ? await findLook(db, workspace_id) : undefined
  if (!look) return
  for (const { email: to, admin: to_admin, name: workspace_name } of await listAdminAddresses(db, workspace_id)) {
    if (titles.length > 0) await enqueueDamageMail(db, { to, to_admin, workspace_name, titles, url, look })
    if (pdfs.length > 0) await enqueueTermsMail(db, { to, to_admin, workspace_name, fault: 'damaged', pdfs, url, look })
  }
}

/** Content to compare with its hash. */
export interface Unchecked extends DocumentKey {
  size: number
  sha256: Buffer
  damaged: boolean
}

/** The upload with this content; undefined if no file and no terms have it, such as for the result of a conversion. */
export async function findOriginal(db: Db, blobId: string): Promise<Original | undefined> {
  const { rows } = await sql<Original>`
    select v.blob_id, v.file_size as size, v.sha256, d.damage is not null as damaged
    from file_versions v join documents d on d.workspace_id = v.workspace_id and d.blob_id = v.blob_id
    where v.blob_id = ${blobId}
    union all select p.blob_id, p.size, p.sha256, p.damage is not null from terms_pdfs p where p.blob_id = ${blobId}
    limit 1`.execute(db)
  return rows[0]
}

/** Content last checked before `before`, longest ago first. */
export async function listUnchecked(db: Db, before: Date, limit: number): Promise<Unchecked[]> {
  const { rows } = await sql<Unchecked>`
    select u.workspace_id, u.blob_id, u.size, u.sha256, u.damaged from (
    select d.workspace_id, d.blob_id, v.file_size as size, v.sha256, d.damage is not null as damaged, d.checked_at
    from (
      select * from documents d where checked_at < ${before} and exists (
        select from file_versions v where v.workspace_id = d.workspace_id and v.blob_id = d.blob_id
      ) order by checked_at limit ${limit}
    ) d
    cross join lateral (
      select file_size, sha256 from file_versions v
      where v.workspace_id = d.workspace_id and v.blob_id = d.blob_id limit 1
    ) v
    union all (
      select p.workspace_id, p.blob_id, p.size, p.sha256, p.damage is not null, p.checked_at
      from terms_pdfs p where p.checked_at < ${before} order by p.checked_at limit ${limit}
    )
    ) u order by u.checked_at limit ${limit}`.execute(db)
  return rows
}

export async function noteChecked(db: Db, { workspace_id, blob_id }: DocumentKey): Promise<void> {
  for (const table of ['documents', 'terms_pdfs'] as const) {
    await db
      .updateTable(table)
      .set({ checked_at: sql`now()` })
      .where('workspace_id', '=', workspace_id)
      .where('blob_id', '=', blob_id)
      .execute()
  }
}
