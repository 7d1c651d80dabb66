import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, openReplicaPool } from '../db/pool.ts'
import { readReplicaState, type ReplicaState } from '../db/replica-state.ts'
import { type Finding, finding } from './finding.ts'

/** For so long, a replica may need to replay what is committed now. Until then the primary answers instead. */
const PATIENCE_MS = 5000
const PAUSE_MS = 250

/** Whether the replica, if there is one, follows this database. */
export async function checkReplica(primary: Db, url: string | undefined): Promise<Finding[]> {
  if (url === undefined) return []
  const replica = openReplicaPool(url)
  try {
    return [findingOf(await followed(primary, replica))]
  } catch (error) {
    return [finding('replica_away', { reason: (error as Error).message })]
  } finally {
    await replica.destroy()
  }
}

/** Its state once it has replayed everything, or after the time that it may need. */
async function followed(primary: Db, replica: Db): Promise<ReplicaState> {
  for (const end = performance.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    const state = await readReplicaState(primary, replica)
    if (state.kind === 'foreign' || state.lag === 0 || performance.now() > end) return state
  }
}

function findingOf(state: ReplicaState): Finding {
  if (state.kind === 'foreign') return finding('replica_foreign')
  return state.lag === 0 ? finding('replica_follows') : finding('replica_behind', { seconds: Math.ceil(state.lag) })
}
