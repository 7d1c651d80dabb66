import { expect, test } from 'vitest'
import { finding } from './finding.ts'

test('a finding keeps the English sentence of the operator beside its code and facts', () => {
  expect(finding('content_unreferenced', { files: 1234, size: 12.3 * 1024 ** 3 })).toEqual({
    check: 'content',
    state: 'warning',
    message: 'Nothing references 1,234 files of the content (12.3 GiB).',
    advice: 'Let a worker run: it removes such content.',
    code: 'content_unreferenced',
    params: { files: '1234', size: String(12.3 * 1024 ** 3) },
  })
  expect(finding('schema_older', { migrations: 1, first: '0057_a.sql' }).message).toBe(
    'The schema lacks 1 migration, from 0057_a.sql on.',
  )
})
