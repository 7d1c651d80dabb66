import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../embedded/postgres.ts'
import { measurePrices, printPrices } from './price/measure-price.ts'

// `npm run bench:price` prints what each kind of request costs beside the reference; with a word, only matching kinds.

await using ends = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'strongroom-price-'))
ends.defer(() => rm(folder, { recursive: true, force: true }))
const postgres = await startPostgres({ dataDir: folder })
ends.defer(() => postgres.stop())
const [only] = process.argv.slice(2)
printPrices(await measurePrices(postgres.databaseUrl, folder, only === undefined ? undefined : new RegExp(only)))
