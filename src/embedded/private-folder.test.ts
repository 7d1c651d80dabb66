import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePrivate } from './private-folder.ts'

test('F5: a data folder that others could read is closed with all its content', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'private-'))
  const outside = join(folder, 'outside')
  await writeFile(outside, 'x', { mode: 0o644 })
  const dataDir = join(folder, 'data')
  await mkdir(join(dataDir, 'outbox/old'), { recursive: true, mode: 0o755 })
  await mkdir(join(dataDir, 'blobs/aa'), { recursive: true, mode: 0o755 })
  await writeFile(join(dataDir, 'credentials.json'), '{}', { mode: 0o644 })
  await writeFile(join(dataDir, 'outbox/old/a.eml'), 'x', { mode: 0o664 })
  await symlink(outside, join(dataDir, 'outbox/link'))
  for (const path of ['', 'outbox', 'outbox/old', 'blobs']) await chmod(join(dataDir, path), 0o777)
  await makePrivate(dataDir)
  const modeOf = async (path: string) => ((await stat(join(dataDir, path))).mode & 0o777).toString(8)
  expect(await Promise.all(['outbox', 'outbox/old', 'blobs'].map(modeOf))).toEqual(['700', '700', '700'])
  expect(await Promise.all(['credentials.json', 'outbox/old/a.eml'].map(modeOf))).toEqual(['600', '600'])
  // Other users cannot list it. The account of PostgreSQL passes through by its group.
  expect(['700', '710']).toContain(await modeOf(''))
  expect((await stat(outside)).mode & 0o777).toBe(0o644)
  await rm(folder, { recursive: true })
})
