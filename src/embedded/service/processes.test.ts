import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServiceProcesses } from './processes.ts'

test('another process starts under load, hears of the others, and ends when it is not needed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-test-'))
  const lines: string[] = []
  const service = startServiceProcesses({
    range: { least: 1, most: 2 },
    env: { TINY_FOLDER: folder },
    log: (line) => lines.push(line),
    file: 'embedded/testing/tiny-sibling.ts',
    calmMs: 1000,
  })
  const said = async () => (await readFile(join(folder, 'said'), 'utf8').catch(() => '')).trim().split('\n')
  const patience = { timeout: 40_000 }
  await expect.poll(said, patience).toEqual(['1: present 1'])
  await writeFile(join(folder, 'load'), '')
  await expect
    .poll(async () => (await said()).toSorted(), patience)
    .toEqual(['1: heard hello from 2', '1: present 1', '1: present 1 and 2', '2: present 1 and 2'])
  await rm(join(folder, 'load'))
  await expect.poll(async () => (await said()).at(-1), patience).toBe('1: present 1')
  expect(lines).toEqual([
    'The service is busy; starting process 2 of at most 2.',
    'Ending process 2 of the service, which is not needed.',
  ])
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})
