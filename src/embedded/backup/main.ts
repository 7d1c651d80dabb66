import { parseArgs } from 'node:util'
import { bytes, count } from '../../service/doctor/finding.ts'
import { backUp } from './back-up.ts'
import { readConfig } from '../config.ts'
import { readPlace } from './read-place.ts'
import { sentenceOf } from './sentence-of.ts'

// `npm run backup -- <folder or s3://…> [--keep <number>]` backs up an installation, running or stopped.

const USAGE = 'npm run backup -- <folder or s3://bucket/prefix?endpoint=…&region=…> [--keep <number of backups>]'

function readArguments(): { to: string; keep: number } | undefined {
  try {
    const { values, positionals } = parseArgs({ options: { keep: { type: 'string' } }, allowPositionals: true })
    const [to, ...rest] = positionals
    const keep = values.keep === undefined ? Infinity : Number(values.keep)
    if (!to || rest.length > 0 || !(keep >= 1)) return undefined
    return { to, keep }
  } catch {
    return undefined
  }
}

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => interrupted.abort(new Error('Interrupted. This backup is not kept.')))

process.umask(0o077)
const asked = readArguments()
if (!asked) {
  console.error(USAGE)
  process.exit(2)
}
try {
  const config = readConfig()
  const made = await backUp(config, readPlace(asked.to), asked.keep, new Date(), interrupted.signal)
  const database =
    made.postgres === null ? 'the database that DATABASE_URL names is not in it' : bytes(made.database_bytes)
  console.log(`Made ${made.path}: database ${database}.`)
  console.log(
    `It has ${count(made.blobs, 'file')} of content (${bytes(made.bytes)}), ${bytes(made.new_bytes)} copied now.`,
  )
  console.log('Let nobody else read it: it has the documents and the keys.')
  if (made.damaged.length > 0) {
    console.error(
      `${count(made.damaged.length, 'file')} of it differ from what was uploaded: ${made.damaged.join(', ')}`,
    )
    process.exit(1)
  }
  process.exit(0)
} catch (error) {
  console.error(sentenceOf(error))
  process.exit(1)
}
