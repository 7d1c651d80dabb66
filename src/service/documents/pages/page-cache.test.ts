import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPageCache, type PageCache } from './page-cache.ts'

const MAX_BYTES = 100_000

let folder: string
let cache: PageCache
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strongroom-cache-'))
  cache = createPageCache(join(folder, 'pages'), MAX_BYTES)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const newId = () => randomBytes(16).toString('hex')
const pathOf = (id: string, name: string) => join(folder, 'pages', id.slice(0, 2), id, name)
const names = async () => (await readdir(folder, { recursive: true })).filter((name) => /\.\w+$/.test(name))

/** Sets the time of last use to this many hours ago. */
async function age(id: string, hours: number): Promise<Date> {
  const date = new Date(Date.now() - hours * 3_600_000)
  await utimes(pathOf(id, '1.jpg'), date, date)
  return date
}

test('only written files can be read', async () => {
  const id = newId()
  await cache.write(id, '1.jpg', Buffer.from('page'))
  expect(await cache.read(id, '1.jpg')).toEqual(Buffer.from('page'))
  expect([await cache.read(id, '2.jpg'), await cache.read(id, '1.webp'), await cache.read(newId(), '1.jpg')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect((await stat(pathOf(id, '1.jpg'))).mode & 0o777).toBe(0o600)
})

test('the least recently used files are removed when the cache is too large', async () => {
  const write = (id: string) => cache.write(id, '1.jpg', Buffer.alloc(MAX_BYTES * 0.09))
  const [old, used, young] = [newId(), newId(), newId()]
  for (const id of [old, used, young, ...Array.from({ length: 8 }, newId)]) await write(id)
  await age(old, 5)
  const before = await age(used, 6)
  await age(young, 2)
  await cache.read(used, '1.jpg')
  expect((await stat(pathOf(used, '1.jpg'))).mtimeMs).toBeGreaterThan(before.getTime())
  await write(newId())
  await cache.trim()
  const left = await Promise.all([old, young, used].map((id) => cache.read(id, '1.jpg')))
  expect(left.map((content) => content !== undefined)).toEqual([false, false, true])
  expect((await names()).length * MAX_BYTES * 0.09).toBeLessThanOrEqual(MAX_BYTES)
})

test('writing trims the cache', async () => {
  for (let at = 0; at < 30; at++) await cache.write(newId(), '1.jpg', Buffer.alloc(MAX_BYTES * 0.11))
  expect((await names()).length * 0.11).toBeLessThanOrEqual(1)
})

test('removing a blob removes all its pages, and is idempotent', async () => {
  const [gone, kept] = [newId(), newId()]
  for (const id of [gone, kept]) await cache.write(id, '1.jpg', Buffer.from('page'))
  await cache.write(gone, '2.webp', Buffer.from('page'))
  for (let turn = 0; turn < 2; turn++) await cache.removeAll([gone])
  expect(await names()).toEqual([join('pages', kept.slice(0, 2), kept, '1.jpg')])
})

test.each(['../../etc', 'A'.repeat(32), '', `${'a'.repeat(31)}/`])('%j is not a blob id', async (id) => {
  await expect(cache.read(id, '1.jpg')).rejects.toThrow('not the id of a blob')
})
