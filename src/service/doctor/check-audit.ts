import { canonical } from '../audit/chain.ts'
import { createSigner } from '../audit/signer.ts'
import { verifyTrail } from '../audit/verify.ts'
import { openVault } from '../base/secrets.ts'
import type { Db } from '../db/pool.ts'
import { listTrails, type OwnedTrail, readTrail } from '../store/audit/audit-export.ts'
import { type Finding, finding } from './finding.ts'

/** Verifies the stored chain of every trail, from its first record to its newest checkpoint. */
export async function checkAudit(db: Db, masterKey: string, now: () => Date): Promise<Finding[]> {
  const vault = openVault(masterKey)
  const notary = { vault, signer: createSigner(vault.keyFor('audit trail')) }
  const trails = await listTrails(db)
  const broken: Finding[] = []
  let records = 0
  for (const trail of trails) {
    try {
      const lines = await readTrail(db, trail.owner, trail.organization_id, notary, now)
      records += (await verifyTrail(texts(lines))).head.seq
    } catch (error) {
      broken.push(altered(trail, reasonOf(error)))
    }
  }
  return [...broken, finding('trails_verified', { trails: trails.length - broken.length, records })]
}

async function* texts(lines: AsyncIterable<unknown>): AsyncIterable<string> {
  for await (const line of lines) yield canonical(line)
}

const altered = ({ owner }: OwnedTrail, reason: string): Finding =>
  'workspace_id' in owner
    ? finding('workspace_trail_altered', { id: String(owner.workspace_id), reason })
    : finding('organization_trail_altered', { id: String(owner.organization_id), reason })

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'It cannot be read.')
