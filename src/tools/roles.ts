import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolesTable } from './roles-table.ts'
import { ROOT } from './sources.ts'

// `npm run roles`: who may call what, printed and written to deploy/roles.md.

const table = rolesTable()
await writeFile(join(ROOT, 'deploy/roles.md'), table)
process.stdout.write(table)
