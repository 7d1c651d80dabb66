import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCredentials } from './credentials.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strongroom-test-'))
})

afterEach(() => rm(dataDir, { recursive: true, force: true }))

const kept = async () => JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as object

test('the first start makes keys, and later starts use them', async () => {
  const first = await openCredentials(dataDir, {})
  expect(first.apiKey).toMatch(/^[0-9a-f]{40}$/)
  expect(first.apiSecret).toMatch(/^[0-9a-f]{64}$/)
  expect(first.adminToken).toMatch(/^[0-9a-f]{40}$/)
  expect(first.masterKey).toMatch(/^[0-9a-f]{64}$/)
  expect(await openCredentials(dataDir, {})).toEqual(first)
})

test('only the owner can read the file', async () => {
  await openCredentials(dataDir, {})
  expect((await stat(join(dataDir, 'credentials.json'))).mode & 0o777).toBe(0o600)
})

test('credentials from the environment are used and never stored', async () => {
  const apiSecret = 'e'.repeat(64)
  expect((await openCredentials(dataDir, { apiSecret })).apiSecret).toBe(apiSecret)
  expect(Object.keys(await kept()).toSorted()).toEqual(['adminToken', 'apiKey', 'masterKey'])
})

test('a damaged file stops the start instead of being replaced', async () => {
  const file = join(dataDir, 'credentials.json')
  await writeFile(file, '{"apiKey": "0f')
  await expect(openCredentials(dataDir, {})).rejects.toThrow('is damaged')
  expect(await readFile(file, 'utf8')).toBe('{"apiKey": "0f')
})
