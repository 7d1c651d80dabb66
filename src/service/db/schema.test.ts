import { readFile } from 'node:fs/promises'
import { expect, inject, test } from 'vitest'
import { printSchema } from '../../tools/sql/schema-print.ts'
import { databaseNamed, TEMPLATE } from '../testing/database/postgres.ts'

test('schema.ts is printed from the migrated database (npm run schema)', async () => {
  const printed = await printSchema(databaseNamed(inject('databaseUrl'), TEMPLATE))
  expect(await readFile(new URL('schema.ts', import.meta.url), 'utf8')).toBe(printed)
})
