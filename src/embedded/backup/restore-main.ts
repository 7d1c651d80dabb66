import { restore } from './restore.ts'
import { readConfig } from '../config.ts'
import { readPlace } from './read-place.ts'
import { sentenceOf } from './sentence-of.ts'
import { examineInstallation } from '../doctor/examine-installation.ts'
import { hasErrors, printFindings } from '../doctor/print-findings.ts'

// `npm run restore -- <folder or s3://…>` restores a backup, or the newest of several, into DATA_DIR, and examines the result.

process.umask(0o077)
const [from, ...rest] = process.argv.slice(2)
if (!from || rest.length > 0) {
  console.error('npm run restore -- <folder of backups or of one, or s3://bucket/prefix?endpoint=…&region=…>')
  process.exit(2)
}
try {
  const config = readConfig()
  const restored = await restore(readPlace(from), config)
  console.log(`Restored ${restored.path} into ${config.dataDir}.`)
  if (restored.postgres === null) {
    console.log(`Restore the database that DATABASE_URL names as it was at ${restored.created_at}, by its own tools.`)
  }
  const findings = await examineInstallation()
  printFindings(findings)
  if (restored.lost.length > 0) console.error(`Not in the backup as they were copied: ${restored.lost.join(', ')}`)
  process.exit(restored.lost.length > 0 || hasErrors(findings) ? 1 : 0)
} catch (error) {
  console.error(sentenceOf(error))
  process.exit(1)
}
