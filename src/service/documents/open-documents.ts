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

/** A large archive takes the scanner a while. */
const SCAN_PATIENCE_MS = 120_000

interface Means {
  db: Db
  blobs: BlobStore
  renderer?: Renderer
}

/** What a worker needs to read documents. Nothing is started before there is something to read. */
export function openDocuments(config: Config, { db, blobs, renderer = openRenderer() }: Means): IngestMeans {
  const cache = createPageCache(join(config.dataDir, 'cache', 'pages'), config.pageCacheBytes)
  return {
    db,
    blobs,
    cache,
    renderer,
    pages: createPageImages({ blobs, cache, renderer }),
    converter: createConverter({ sandboxing: config.converterSandbox }),
    scanner: createScanner(config.clamdUrl, { maxBytes: config.clamdMaxBytes, patienceMs: SCAN_PATIENCE_MS }),
    scanRequired: config.scanRequired,
    folder: join(config.dataDir, 'tmp'),
  }
}
