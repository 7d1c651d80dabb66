import { realpathSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createChildPool, type TaskLimits } from '../../render/child-pool.ts'
import { DocumentFault } from '../../render/fault.ts'
import { FAULTS } from '../convert-faults.ts'
import { engineFolder, fontFiles } from './engine-files.ts'
import type { EngineFiles } from './load-office.ts'
import { ENGINE_MAX_SOURCE_BYTES, ENGINE_MEMORY, ENGINE_RESIDENT_BYTES } from './limits.ts'

/**
 * LibreOffice as WebAssembly, for machines on which LibreOffice is not installed. Each document has a process of its own,
 * which can read only Strongroom's code, LibreOffice and fonts, and is given the document's bytes; so no document ever
 * meets another one. The process is not cut off from the network.
 */
export interface OfficeEngine {
  /** Whether the optional package is installed. */
  isPresent: boolean
  /** @throws DocumentFault if the document cannot be converted; any other error may be retried */
  toPdf(source: string, target: string, limits: Pick<TaskLimits, 'cpuMs' | 'wallMs' | 'signal'>): Promise<void>
  close(): Promise<void>
}

const NICENESS = 10
/** Starting takes one or two seconds of CPU time. */
const START_CPU_MS = 60_000
const START_WALL_MS = 300_000
const IDLE_MS = 60_000
const SOURCES = realpathSync(fileURLToPath(new URL('../../../../', import.meta.url)))

export function openOfficeEngine(): OfficeEngine {
  const folder = engineFolder()
  const files: EngineFiles = { folder: folder ?? '', fonts: folder === undefined ? [] : fontFiles() }
  const pool = createChildPool(new URL('./child.ts', import.meta.url), {
    size: 1,
    niceness: NICENESS,
    idleMs: IDLE_MS,
    once: { task: { task: 'start', input: files }, cpuMs: START_CPU_MS, wallMs: START_WALL_MS },
    wasmBytes: ENGINE_MEMORY.maxBytes,
    residentBytes: ENGINE_RESIDENT_BYTES,
    nodeArguments: permissions(files),
  })
  return {
    isPresent: folder !== undefined,
    async toPdf(source, target, limits) {
      if ((await stat(source)).size > ENGINE_MAX_SOURCE_BYTES) throw new DocumentFault(FAULTS.size)
      const extension = extname(source).slice(1)
      await pool.run<undefined>('convert', { extension }, { ...limits, files: { source, target } })
    },
    close: () => pool.close(),
  }
}

/** What the process may read: its own code, LibreOffice and fonts. It may write nothing and start no process. */
function permissions({ folder, fonts }: EngineFiles): string[] {
  const readable = [SOURCES, join(SOURCES, '../package.json'), folder, ...fonts]
  return [
    '--permission',
    '--allow-worker',
    '--allow-fs-write=/proc/self/oom_score_adj',
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ]
}
