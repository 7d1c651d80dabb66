import { parseArgs } from 'node:util'
import { type BlobPlace, contentPlace, nameOf, readBlobUrl } from '../../service/base/blob-place.ts'
import { type CopiedContent, copyStore } from '../../service/blobs/migrate/copy-store.ts'
import { openPlace } from '../../service/blobs/open-storage.ts'
import { viewStorage } from '../../service/blobs/view-storage.ts'
import { openPool } from '../../service/db/pool.ts'
import { bytes, count } from '../../service/doctor/finding.ts'
import { type Config, readConfig } from '../config.ts'
import { reachDatabase } from '../reach-database.ts'
import { sentenceOf } from './sentence-of.ts'

// `npm run blobs:migrate -- --to <URL> [--from <URL>]` copies the content of an installation, running or stopped, to
// another place. See deploy/backup.md.

const USAGE = 'npm run blobs:migrate -- --to <file:///folder or s3://bucket/prefix?…> [--from <URL>]'

function readArguments(config: Config): { from: BlobPlace; to: BlobPlace } {
  const { values } = parseArgs({ options: { to: { type: 'string' }, from: { type: 'string' } } })
  if (values.to === undefined) throw new Error(USAGE)
  const from = values.from === undefined ? contentPlace(config) : placeIn('--from', values.from)
  const to = placeIn('--to', values.to)
  if (nameOf(from) === nameOf(to)) throw new Error('The content is there already: --to and --from are the same.')
  return { from, to }
}

function placeIn(option: string, url: string): BlobPlace {
  try {
    return readBlobUrl(url)
  } catch (error) {
    throw new Error(`${option} ${(error as Error).message}.`, { cause: error })
  }
}

async function migrate(config: Config): Promise<CopiedContent> {
  const { from, to } = readArguments(config)
  await using database = await reachDatabase(config)
  const db = openPool(database.url, 2)
  try {
    const source = await openPlace(db, from, config)
    await source.requirePresent()
    const target = await openPlace(db, to, config, { isNew: true })
    await target.requirePresent()
    console.log(`Copying the content of ${nameOf(from)} to ${nameOf(to)}.`)
    const stores = { view: await viewStorage(from), source, target }
    return await copyStore(db, stores, ({ copied, kept }) => console.log(`${copied} copied, ${kept} there before`))
  } finally {
    await db.destroy()
  }
}

process.umask(0o077)
try {
  const { copied, bytes: size, kept, damaged } = await migrate(readConfig())
  console.log(
    `Copied ${count(copied, 'file')} (${bytes(size)}), each compared with its hash; ${kept} were there before.`,
  )
  if (damaged.length > 0) console.error(`Not as they were uploaded: ${damaged.join(', ')}`)
  process.exit(damaged.length > 0 ? 1 : 0)
} catch (error) {
  console.error(sentenceOf(error))
  process.exit(1)
}
