import { randomBytes, randomUUID } from 'node:crypto'
import type { TestService } from '../start-service.ts'

interface Copy {
  workspace_id: number
  file_id: number
  user_id: number
  group_ids: number[]
  revoked?: boolean
  key?: Buffer
}

/** Inserts a sealed copy without content: only the facts needed to open it. */
export async function insertCopy({ services }: TestService, copy: Copy): Promise<string> {
  const { revoked = false, key = randomBytes(32), ...facts } = copy
  const copy_id = randomUUID()
  const key_sealed = services.vault.sealerFor('sealed copies').seal(key.toString('base64'))
  await services.db
    .insertInto('sealed_copies')
    .values({ ...facts, copy_id, version: 1, pages: 1, key_sealed, revoked_at: revoked ? new Date() : null })
    .execute()
  return copy_id
}
