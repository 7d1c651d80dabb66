import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../service/db/migrate.ts'
import { databaseNamed } from '../../service/testing/database/postgres.ts'
import { startServer } from '../../service/testing/global-setup.ts'
import { ROOT } from '../sources.ts'
import { PREVIOUS_RELEASE } from './previous-release.ts'

// `npm run test:previous -- [REVISION [FILES]]` runs tests of the service as of a revision, that of the previous release,
// against the schema of this one: its nodes work on while ours replace them. The template of all databases is migrated, so
// theirs have nothing to do.

const SERVICE = 'src/service'
/** Rooms whose tests work on the database. Those of `db` compare the schema with that of their own release. */
const ROOMS = ['access', 'blobs', 'content', 'documents', 'endpoints', 'http', 'jobs', 'mail', 'store', 'testing/model']
const MORE = ['testing/access-matrix.test.ts', 'worker.test.ts']
/** They need Debian's packages, or LibreOffice. */
const ELSEWHERE = /\bensureInstalled\(|\bopenOfficeEngine\(/

const [revision = PREVIOUS_RELEASE.revision, ...files] = process.argv.slice(2)
const parent = await mkdtemp(join(tmpdir(), 'previous-'))
const folder = join(parent, 'release')
const server = await startServer()
try {
  await migrate(databaseNamed(server.databaseUrl, 'template1'))
  await run('git', ['worktree', 'add', '--detach', folder, revision], ROOT)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const tests = files.length > 0 ? files : await listTests()
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  process.exitCode = await run(process.execPath, [vitest, 'run', '--silent', '--project', 'service', ...tests], folder)
} finally {
  await run('git', ['worktree', 'remove', '--force', folder], ROOT)
  await server.stop()
  await rm(parent, { recursive: true, force: true })
}

async function listTests(): Promise<string[]> {
  const names = (await readdir(join(folder, SERVICE), { recursive: true })).filter((name) => name.endsWith('.test.ts'))
  const ofRooms = names.filter((name) => MORE.includes(name) || ROOMS.some((room) => name.startsWith(`${room}/`)))
  const texts = await Promise.all(ofRooms.map((name) => readFile(join(folder, SERVICE, name), 'utf8')))
  return ofRooms.filter((_, at) => !ELSEWHERE.test(texts[at] ?? '')).map((name) => `${SERVICE}/${name}`)
}

async function run(program: string, args: string[], cwd: string): Promise<number> {
  const env = { ...process.env, TEST_DATABASE_URL: server.databaseUrl }
  const [code] = (await once(spawn(program, args, { cwd, env, stdio: 'inherit' }), 'exit')) as [number | null]
  return code ?? 1
}
