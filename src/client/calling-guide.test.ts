import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startTestService } from '../service/testing/start-service.ts'
import { createWorld } from '../service/testing/world.ts'

const ROOT = join(import.meta.dirname, '../..')

it('the Node example in docs/CALLING.md uploads a note to each workspace', async () => {
  const guide = await readFile(join(ROOT, 'docs/CALLING.md'), 'utf8')
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(guide) ?? []
  const service = await startTestService()
  const { alice } = await createWorld(service)
  const { key: API_KEY, secret: API_SECRET, token: USER_TOKEN } = alice.credentials
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module-typescript', '--eval', example],
    {
      cwd: ROOT,
      env: { ...process.env, API_URL: service.url, API_KEY, API_SECRET, USER_TOKEN },
    },
  )
  expect(stdout).toBe('Harbour: uploaded Note.txt, version 1\n')
  await service.close()
})
