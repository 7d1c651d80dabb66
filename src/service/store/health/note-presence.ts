import { hostname } from 'node:os'
import { PRODUCT_VERSION } from '../../base/product-version.ts'
import type { Db } from '../../db/pool.ts'
import type { ScanPolicy } from '../documents/scan-policy.ts'
import { forgetProcess, noteProcess, type ProcessFacts } from './system.ts'

const NOTE_EVERY_MS = 60_000

/**
 * Notes this process in the database every minute until it is closed; the page System lists it. A process that takes or
 * reads documents gives its policy, which doctor compares with those of the others.
 */
export function notePresence(
  db: Db,
  kind: ProcessFacts['kind'],
  policy: ScanPolicy | undefined,
): { close(): Promise<void> } {
  const facts = {
    kind,
    host: hostname(),
    version: PRODUCT_VERSION,
    node: process.versions.node,
    started_at: new Date().toISOString(),
  }
  let noting: Promise<void> | undefined
  const note = () =>
    (noting ??= noteProcess(db, facts, policy)
      .catch(() => {})
      .finally(() => (noting = undefined)))
  void note()
  const timer = setInterval(() => void note(), NOTE_EVERY_MS).unref()
  return {
    async close() {
      clearInterval(timer)
      await noting
      await forgetProcess(db).catch(() => {})
    },
  }
}
