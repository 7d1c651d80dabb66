import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolesTable } from './roles-table.ts'
import { ROOT } from '../sources.ts'

// `npm run roles` prints the table of who may call what, and writes it to deploy/roles.md.

const table = rolesTable()
await writeFile(join(ROOT, 'deploy/roles.md'), table)
process.stdout.write(table)
