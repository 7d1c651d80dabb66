import { expect, test } from 'vitest'
import { isForTests, readSources } from './sources.ts'

const SECRET = String.raw`[\w.]*(?:[sS]ignature|[sS]ecret|[hH]mac|[pP]assword|code_hash|codeHash|token_hash|tokenHash|otp)\w*`
const ORDINARY = String.raw`(?:undefined|null|true|false|'[^']*'|typeof)\b|''`
const COMPARISON = new RegExp(
  String.raw`\b${SECRET}\s*[!=]==?\s*(?!${ORDINARY})[\w(]|\b(?!${ORDINARY})[\w)]+\s*[!=]==?\s*${SECRET}\b`,
)

/**
 * A stamp is not a secret: sealed in the URL, it shows whether the secret was replaced. The configured secret is
 * compared with the stored secret at the start, never with a value from a request.
 */
const ALLOWED = /secret_stamp|named\.apiSecret/

test('A8: no secret is compared with an operator that stops at the first difference', () => {
  expect(COMPARISON.test('if (given.signature === expected) return')).toBe(true)
  expect(COMPARISON.test('if (hash !== row.code_hash) return')).toBe(true)
  expect(COMPARISON.test('if (secret === undefined) return')).toBe(false)
  const found = readSources(['src/service', 'src/proxy', 'src/signing', 'src/wire'])
    .filter(({ path }) => !isForTests(path))
    .flatMap(({ path, text }) => text.split('\n').map((line) => ({ path, line: line.trim() })))
    .filter(({ line }) => COMPARISON.test(line) && !ALLOWED.test(line))
  expect(found).toEqual([])
})
