import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { administerInstallation } from '../../access/enter/organization.ts'
import { PRODUCT_VERSION } from '../../base/product-version.ts'
import { storageSpace } from '../../content/storage-space.ts'
import type { Handlers } from '../../http/context.ts'
import { enqueue } from '../../jobs/queue.ts'
import { listLastBackups } from '../../store/health/backups.ts'
import { readQueueDepth } from '../../store/health/gauges.ts'
import {
  listProcesses,
  readExamination,
  readVersions,
  requestExamination,
  type StoredExamination,
} from '../../store/health/system.ts'

export const system: Handlers<Api['system']> = {
  get: async ({ db, actor, services }) => {
    const installation = await administerInstallation(db, actor)
    const [versions, processes, jobs, backups, examination, storage] = await Promise.all([
      readVersions(installation),
      listProcesses(installation),
      readQueueDepth(db),
      listLastBackups(installation),
      readExamination(installation),
      storageSpace(services.config),
    ])
    return {
      as_of: versions?.as_of ?? services.clock().toISOString(),
      versions: {
        strongroom: PRODUCT_VERSION,
        node: process.versions.node,
        postgresql: versions?.postgresql ?? '',
        schema: versions?.schema ?? '',
      },
      processes,
      jobs: jobs.map(({ kind, waiting, parked, age }) => ({ kind, waiting, failed: parked, oldest_seconds: age })),
      storage,
      backups,
      examination: examination ? toExamination(examination) : null,
    }
  },

  examine: async ({ db, actor }) => {
    const installation = await administerInstallation(db, actor)
    const begun = await requestExamination(installation)
    if (begun) await enqueue(db, 'examine', {}, actor.request_id)
    const asked = begun ?? (await readExamination(installation))
    if (!asked) throw new Error('There is no examination.')
    return toExamination(asked)
  },
}

function toExamination(stored: StoredExamination): Reply<Api['system']['examine']> {
  const { content_files: files, content_bytes: bytes, findings, requested_at, ended_at } = stored
  return {
    requested_at,
    ended_at,
    findings: findings.map(({ advice = null, code = null, params = {}, ...rest }) => ({
      ...rest,
      advice,
      code,
      params,
    })),
    content: files === null || bytes === null ? null : { files, bytes },
  }
}
