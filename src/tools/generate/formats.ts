import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withFormats } from './formats-table.ts'
import { ROOT } from '../sources.ts'

// `npm run formats` writes the table of formats into deploy/documents.md.

const path = join(ROOT, 'deploy/documents.md')
await writeFile(path, withFormats(await readFile(path, 'utf8')))
