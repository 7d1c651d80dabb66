import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import type { AdministeredWorkspace, SealedCopy } from '../scopes.ts'

/** @throws ApiError 404 */
export async function enterSealedCopy(db: Db, workspace: AdministeredWorkspace, copyId: string): Promise<SealedCopy> {
  const copy = await db
    .selectFrom('sealed_copies')
    .select(['copy_id', 'file_id', 'user_id'])
    .where('workspace_id', '=', workspace.id)
    .where('copy_id', '=', copyId)
    .executeTakeFirst()
  if (!copy) throw notFound()
  return { ...copy, workspace } as SealedCopy
}
