import { Worker } from 'node:worker_threads'
import type { ContentAmount } from './check-content.ts'
import type { Examined } from './examine.ts'
import { type Finding, finding } from './finding.ts'

export type Heard = { findings: Finding[] } | { content: ContentAmount } | { ended: true }

export interface Examination {
  findings: Finding[]
  content: ContentAmount | undefined
}

const MEMORY_MB = 256

interface Limits {
  limitMs: number
  signal: AbortSignal
}

/**
 * Examines an installation in a thread of its own, which is ended at the limit: then the findings are those of the
 * checks that had ended. @throws the reason of the signal
 */
export async function examineApart(config: Examined, { limitMs, signal }: Limits): Promise<Examination> {
  signal.throwIfAborted()
  const heard: Examination = { findings: [], content: undefined }
  const thread = new Worker(new URL('./examination-thread.ts', import.meta.url), {
    workerData: examinedOf(config),
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const early = await endOf(thread, heard, { limitMs, signal })
  if (early) heard.findings.push(early)
  return heard
}

/** The rest of a configuration cannot be sent to a thread. */
const examinedOf = (config: Examined): Examined => ({
  databaseUrl: config.databaseUrl,
  databaseReplicaUrl: config.databaseReplicaUrl,
  dataDir: config.dataDir,
  blobPlace: config.blobPlace,
  sweepAfterSeconds: config.sweepAfterSeconds,
  masterKey: config.masterKey,
  smtpUrl: config.smtpUrl,
  clamdUrl: config.clamdUrl,
  converterSandbox: config.converterSandbox,
})

function endOf(thread: Worker, heard: Examination, { limitMs, signal }: Limits): Promise<Finding | undefined> {
  return new Promise<Finding | undefined>((resolve, reject) => {
    const minutes = Math.round(limitMs / 60_000)
    const limit = setTimeout(() => resolve(finding('examination_late', { minutes })), limitMs)
    const abort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    thread.on('message', (message: Heard) => {
      if ('findings' in message) heard.findings.push(...message.findings)
      else if ('content' in message) heard.content = message.content
      else resolve(undefined)
    })
    thread.once('error', (error: Error) => resolve(finding('examination_failed', { reason: error.message })))
    thread.once('exit', () => {
      clearTimeout(limit)
      signal.removeEventListener('abort', abort)
      resolve(finding('examination_ended'))
    })
  }).finally(() => thread.terminate())
}
