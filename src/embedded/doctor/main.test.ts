import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childEnvironment } from '../../service/base/child-environment.ts'
import { migrate } from '../../service/db/migrate.ts'
import type { Finding } from '../../service/doctor/finding.ts'
import { openCredentials } from '../credentials.ts'
import { startPostgres } from '../postgres.ts'

const TOOL = join(import.meta.dirname, 'main.ts')

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'strongroom-doctor-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

function examine(env: NodeJS.ProcessEnv): Promise<{ code: number; findings: Finding[] }> {
  const variables = childEnvironment({ PATH: process.env['PATH'], DATA_DIR: folder, ...env })
  return new Promise((resolve) => {
    execFile(process.execPath, [TOOL, '--json'], { env: variables }, (error, output) =>
      resolve({ code: Number(error?.code ?? 0), findings: JSON.parse(output) as Finding[] }),
    )
  })
}

test('each wrong setting and an absent installation are errors with advice', async () => {
  const wrong = await examine({ PORT: '0', SMTP_URL: 'http://mail' })
  expect(wrong.code).toBe(1)
  expect(wrong.findings.map(({ message }) => message)).toEqual([
    'PORT must be 1 to 65535.',
    'SMTP_URL must be an smtp or smtps URL.',
  ])
  const { code, findings } = await examine({})
  expect(code).toBe(1)
  expect(findings).toMatchObject([{ state: 'error', message: `There is no installation in ${folder}.` }])
})

test('a stopped installation is examined, and stays stopped', async () => {
  const postgres = await startPostgres({ dataDir: folder, durable: false })
  await migrate(postgres.databaseUrl)
  await openCredentials(folder, {})
  await postgres.stop()
  await chmod(folder, 0o755)

  const { findings } = await examine({})

  const messages = findings.map(({ message }) => message)
  expect(messages).toContain(`Strongroom is stopped; its database in ${folder} ran for the examination.`)
  expect(messages).toContain('The schema is the one of this release.')
  expect(messages).toContain(`Other users of this machine can read ${folder}.`)
  await (await startPostgres({ dataDir: folder, durable: false })).stop()
})
