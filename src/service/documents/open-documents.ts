import { join } from 'node:path'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { createConverter } from './convert.ts'
import type { IngestMeans } from './ingest.ts'
import { createPageCache } from './page-cache.ts'
import { createPageImages } from './page-images.ts'
import { openRenderer, type Renderer } from './render.ts'
import { createScanner } from './scan.ts'

export interface ReadingLimits {
  /** Of each step. */
  cpuSeconds: number
  /** Of a tool that waits. */
  timeLimitMs: number
  scanPatienceMs: number
}

/** What a document has in its first turn. */
export const QUICK: ReadingLimits = { cpuSeconds: 4, timeLimitMs: 15_000, scanPatienceMs: 5000 }
/** What a document has at last. A large archive takes the scanner a while. */
export const WHOLE: ReadingLimits = { cpuSeconds: 60, timeLimitMs: 120_000, scanPatienceMs: 120_000 }

interface Means {
  db: Db
  blobs: BlobStore
  renderer?: Renderer
  limits?: ReadingLimits
}

/** What a worker needs to read documents. Nothing is started before there is something to read. */
export function openDocuments(
  config: Config,
  { db, blobs, renderer = openRenderer(), limits = WHOLE }: Means,
): IngestMeans {
  const { cpuSeconds, timeLimitMs, scanPatienceMs: patienceMs } = limits
  const cache = createPageCache(join(config.dataDir, 'cache', 'pages'), config.pageCacheBytes)
  return {
    db,
    blobs,
    cache,
    renderer,
    pages: createPageImages({ blobs, cache, renderer }),
    converter: createConverter({ sandboxing: config.converterSandbox, renderer, cpuSeconds, timeLimitMs }),
    scanner: createScanner(config.clamdUrl, { maxBytes: config.clamdMaxBytes, patienceMs }),
    scanRequired: config.scanRequired,
    folder: join(config.dataDir, 'tmp'),
  }
}
