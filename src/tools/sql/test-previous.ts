import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../service/db/migrate.ts'
import { databaseNamed } from '../../service/testing/database/postgres.ts'
import { startServer } from '../../service/testing/global-setup.ts'
import { ROOT } from '../sources.ts'

// `npm run test:previous -- REVISION [FILES]` runs tests of the service as of a revision against the schema of this one:
// its nodes work on while ours replace them. The template of all databases is migrated, so theirs have nothing to do.

const TESTS = ['src/service/endpoints', 'src/service/testing/access-matrix', 'src/service/access', 'src/service/jobs']

const [revision = 'HEAD~1', ...files] = process.argv.slice(2)
const parent = await mkdtemp(join(tmpdir(), 'previous-'))
const folder = join(parent, 'release')
const server = await startServer()
try {
  await migrate(databaseNamed(server.databaseUrl, 'template1'))
  await run('git', ['worktree', 'add', '--detach', folder, revision], ROOT)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const tests = files.length > 0 ? files : TESTS
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  process.exitCode = await run(process.execPath, [vitest, 'run', '--silent', '--project', 'service', ...tests], folder)
} finally {
  await run('git', ['worktree', 'remove', '--force', folder], ROOT)
  await server.stop()
  await rm(parent, { recursive: true, force: true })
}

async function run(program: string, args: string[], cwd: string): Promise<number> {
  const env = { ...process.env, TEST_DATABASE_URL: server.databaseUrl }
  const [code] = (await once(spawn(program, args, { cwd, env, stdio: 'inherit' }), 'exit')) as [number | null]
  return code ?? 1
}
