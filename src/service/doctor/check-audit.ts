import { canonical } from '../audit/chain.ts'
import { createSigner } from '../audit/signer.ts'
import { verifyTrail } from '../audit/verify.ts'
import { openVault } from '../base/secrets.ts'
import type { Db } from '../db/pool.ts'
import { listTrails, type OwnedTrail, readTrail } from '../store/audit/audit-export.ts'
import { count, type Finding, findingsOf } from './finding.ts'

const found = findingsOf('audit')
const ADVICE =
  'Compare MASTER_KEY with the one of this installation. If it is right, keep the database as it is as evidence, and compare the trail with earlier exports (npm run audit:verify).'

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
      broken.push(found.error(`The trail of ${nameOf(trail)} is not as it was written. ${reasonOf(error)}`, ADVICE))
    }
  }
  const sound = count(trails.length - broken.length, 'trail')
  return [...broken, found.ok(`Verified ${sound} with ${count(records, 'record')}, which are as they were written.`)]
}

async function* texts(lines: AsyncIterable<unknown>): AsyncIterable<string> {
  for await (const line of lines) yield canonical(line)
}

const nameOf = ({ owner }: OwnedTrail) =>
  'workspace_id' in owner ? `workspace ${owner.workspace_id}` : `organization ${owner.organization_id}`

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'It cannot be read.')
