import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rolesTable } from './roles-table.ts'
import { ROOT } from '../sources.ts'

test('deploy/roles.md matches the access matrix (npm run roles)', async () => {
  expect(await readFile(join(ROOT, 'deploy/roles.md'), 'utf8')).toBe(rolesTable())
})
