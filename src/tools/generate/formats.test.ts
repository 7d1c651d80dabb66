import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withFormats } from './formats-table.ts'
import { ROOT } from '../sources.ts'

test('deploy/documents.md has the present table of formats (npm run formats)', async () => {
  const document = await readFile(join(ROOT, 'deploy/documents.md'), 'utf8')
  expect(document).toBe(withFormats(document))
})
