import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { nameOf } from '../../service/base/blob-place.ts'
import { bytes, count } from '../../service/doctor/finding.ts'
import { backUp } from './back-up.ts'
import { readConfig } from '../config.ts'

// `npm run backup -- <folder> [--keep <number>]` backs up an installation, running or stopped.

const USAGE = 'npm run backup -- <folder> [--keep <number of backups>]'

function readArguments(): { folder: string; keep: number } | undefined {
  try {
    const { values, positionals } = parseArgs({ options: { keep: { type: 'string' } }, allowPositionals: true })
    const [folder, ...rest] = positionals
    const keep = values.keep === undefined ? Infinity : Number(values.keep)
    if (!folder || rest.length > 0 || !(keep >= 1)) return undefined
    return { folder: resolve(folder), keep }
  } catch {
    return undefined
  }
}

process.umask(0o077)
const asked = readArguments()
if (!asked) {
  console.error(USAGE)
  process.exit(2)
}
try {
  const config = readConfig()
  const made = await backUp(config, asked.folder, asked.keep)
  const database =
    made.postgres === null ? 'the database that DATABASE_URL names is not in it' : bytes(made.database_bytes)
  console.log(`Made ${made.path}: database ${database}.`)
  console.log(
    `It has ${count(made.blobs, 'file')} of content (${bytes(made.bytes)}), ${bytes(made.new_bytes)} copied now.`,
  )
  if (config.blobPlace && !('folder' in config.blobPlace))
    console.log(`The content in ${nameOf(config.blobPlace)} is not in it: see deploy/backup.md.`)
  console.log('Let nobody else read it: it has the documents and the keys.')
  if (made.damaged.length > 0) {
    console.error(
      `${count(made.damaged.length, 'file')} of it differ from what was uploaded: ${made.damaged.join(', ')}`,
    )
    process.exit(1)
  }
  process.exit(0)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
