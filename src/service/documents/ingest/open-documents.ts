import { join } from 'node:path'
import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Config } from '../../base/config.ts'
import type { Db } from '../../db/pool.ts'
import { createConverter } from '../convert/convert.ts'
import type { OfficeEngine } from '../convert/engine/office-engine.ts'
import type { IngestMeans } from './ingest.ts'
import { openPageCache } from '../pages/shared-page-cache.ts'
import { createPageImages } from '../pages/page-images.ts'
import { openRenderer, type Renderer } from '../render.ts'
import { createScanner } from './scan.ts'

export interface ReadingLimits {
  cpuSeconds: number
  timeLimitMs: number
  scanPatienceMs: number
}

/** Limits of a document's first, quick turn. */
export const QUICK: ReadingLimits = { cpuSeconds: 4, timeLimitMs: 15_000, scanPatienceMs: 5000 }
/** Limits of a document's heavy turn. The scanner needs a while for a large archive. */
export const WHOLE: ReadingLimits = { cpuSeconds: 60, timeLimitMs: 120_000, scanPatienceMs: 120_000 }

interface Means {
  db: Db
  blobs: BlobStore
  renderer?: Renderer
  engine?: OfficeEngine
  limits?: ReadingLimits
}

/** Opens what a worker needs to read documents. Processes start only when there is something to read. */
export function openDocuments(
  config: Config,
  { db, blobs, renderer = openRenderer(), engine, limits = WHOLE }: Means,
): IngestMeans {
  const { cpuSeconds, timeLimitMs, scanPatienceMs: patienceMs } = limits
  const cache = openPageCache(config, blobs)
  return {
    db,
    blobs,
    cache,
    renderer,
    pages: createPageImages({ blobs, cache, renderer }),
    converter: createConverter({
      sandboxing: config.converterSandbox,
      renderer,
      ...(engine && { engine }),
      cpuSeconds,
      timeLimitMs,
    }),
    scanner: createScanner(config.clamdUrl, { maxBytes: config.clamdMaxBytes, patienceMs }),
    scanRequired: config.scanRequired,
    folder: join(config.dataDir, 'tmp'),
  }
}
