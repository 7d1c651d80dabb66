import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { childEnvironment } from '../../service/base/child-environment.ts'
import { readConfig } from '../../service/base/config.ts'
import { examine } from '../../service/doctor/examine.ts'
import { addDealRecords, readDealRecords, TERMS_HASH } from '../../service/testing/deal/deal-records.ts'
import { createRoom } from '../../service/testing/room.ts'
import { ensureInstalled } from '../../service/testing/system-packages.ts'
import { createWorld, personOf } from '../../service/testing/world.ts'
import { startInstallation, startServiceOn } from '../backup/testing/installation.ts'
import { startPostgres } from '../postgres.ts'
import { accountFor, identity, makePrivate, openParents } from '../postgres/account.ts'
import { ENVIRONMENT } from '../postgres/binaries.ts'
import { majorIn, writeAccess } from '../postgres/cluster.ts'
import { launch, type Server, stop } from '../postgres/server.ts'
import { connectionString, DATABASE } from '../postgres/settings.ts'
import { socketFolder } from '../postgres/socket-folder.ts'
import { requireRoom, upgradeCluster } from './upgrade.ts'

const OLD = '/usr/lib/postgresql/15'
const MASTER_KEY = randomBytes(32).toString('hex')
const has15 = await ensureInstalled('postgres15')

const folder = await mkdtemp(join(tmpdir(), 'strongroom-upgrade-'))
const running: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function startOld(dataDir: string): Promise<Server> {
  const account = await accountFor(join(dataDir, 'postgres'))
  await openParents(dataDir, account, () => {})
  const clusterDir = join(dataDir, 'postgres')
  if (!existsSync(clusterDir)) {
    await makePrivate(clusterDir, account)
    const options = { ...identity(account), cwd: '/', env: ENVIRONMENT, encoding: 'utf8' } as const
    const args = ['-D', clusterDir, '-U', 'strongroom', '-E', 'UTF8', '--locale=C', '--auth=peer', '-N']
    expect(spawnSync(join(OLD, 'bin/initdb'), args, options).stderr).toBe('')
  }
  await writeAccess(clusterDir, account)
  const socketDir = await socketFolder(dataDir, account)
  const server = await launch({
    native: OLD,
    clusterDir,
    socketDir,
    logFile: join(dataDir, 'old.log'),
    account,
    durable: false,
    major: '15',
  })
  running.push(() => stop(server))
  return server
}

/** Makes an installation on PostgreSQL 15 with a room, grants, files, jobs and audit trails. */
async function makeOld(name: string) {
  const dataDir = join(folder, name)
  await mkdir(dataDir, { mode: 0o700 })
  const { socketDir } = await startOld(dataDir)
  const service = await startServiceOn(connectionString(socketDir, DATABASE), { dataDir, masterKey: MASTER_KEY })
  const world = await createWorld(service)
  const room = await createRoom(world)
  const { id } = await room.upload(world.alice, 0, 'Straße \\ "x" ü.txt', 'content')
  await room.grant(0, 'view')
  const deal = await addDealRecords(world, room)
  const kept = await readDealRecords(service, world.alice, deal)
  await world.alice.call(api.audit.export, { params: { id: room.workspace_id } })
  await world.olivia.call(api.audit.exportOrganization, {})
  await service.close()
  for (const each of running.splice(0)) await each()
  return { dataDir, world, room, id, deal, kept }
}

const upgrade = (dataDir: string, more: Partial<Parameters<typeof upgradeCluster>[0]> = {}) =>
  upgradeCluster({ dataDir, log: () => {}, signal: new AbortController().signal, verify: async () => {}, ...more })

async function countOld(dataDir: string): Promise<number> {
  const server = await startOld(dataDir)
  const client = new pg.Client({ connectionString: connectionString(server.socketDir, DATABASE) })
  await client.connect()
  const { rows } = await client.query<{ count: string }>('select count(*) from files')
  await client.end()
  for (const each of running.splice(0)) await each()
  return Number(rows[0]?.count)
}

describe.skipIf(!has15)('upgrading PostgreSQL 15', () => {
  test('keeps every row, and the old cluster; a start before says what to do', async () => {
    const { dataDir, world, room, id, deal, kept } = await makeOld('whole')
    await expect(startPostgres({ dataDir })).rejects.toThrow('Upgrade it: npm run upgrade.')
    let checked = 0
    const verify = async (DATABASE_URL: string) => {
      const findings = await examine(readConfig({ DATABASE_URL, DATA_DIR: dataDir, MASTER_KEY }))
      expect(findings.filter(({ state }) => state === 'error')).toEqual([])
      expect(findings.find(({ check }) => check === 'audit')?.message).toMatch(/^Verified 2 trails with/)
      checked++
    }
    const done = await upgrade(dataDir, { verify })
    expect(done).toMatchObject({ from: '15' })
    expect(done?.rows).toBeGreaterThan(50)
    expect(checked).toBe(1)
    expect(await readFile(join(done?.kept ?? '', 'PG_VERSION'), 'utf8')).toBe('15\n')
    expect((await readdir(dataDir)).filter((name) => /upgrade/.test(name))).toEqual([])
    expect(await upgrade(dataDir)).toBeUndefined()

    const copy = await startInstallation({ dataDir, masterKey: MASTER_KEY }, running)
    const alice = personOf(copy, world.alice)
    const query = { workspace_id: room.workspace_id }
    const file = await alice.call(api.files.get, { params: { id }, query })
    expect(file.title).toBe('Straße \\ "x" ü.txt')
    expect(kept).toMatchObject({ sha256: TERMS_HASH, staged: [{ path: '/Staged' }], passes: [{ replied_at: null }] })
    expect(await readDealRecords(copy, alice, deal)).toEqual(kept)
    const { id: next } = await room.upload(alice, 0, 'next.txt', 'new')
    expect(next).toBeGreaterThan(id)
  }, 240_000)

  test('an interruption anywhere, or a copy that is not sound, leaves the old installation as it was', async () => {
    const { dataDir } = await makeOld('interrupted')
    const lines: string[] = []
    await expect(
      upgrade(dataDir, { log: (line) => lines.push(line), verify: () => Promise.reject(new Error('Not sound.')) }),
    ).rejects.toThrow('Not sound.')
    expect(await countOld(dataDir)).toBe(1)
    for (const at of [0, Math.floor(lines.length / 2), lines.length - 1]) {
      const interrupted = new AbortController()
      let seen = 0
      const log = () => void (seen++ === at && interrupted.abort(new Error('Interrupted.')))
      await expect(upgrade(dataDir, { log, signal: interrupted.signal })).rejects.toThrow('Interrupted.')
      expect(existsSync(join(dataDir, 'upgrade'))).toBe(false)
    }
    const interrupted = new AbortController()
    const verify = async (databaseUrl: string) => {
      const client = new pg.Client({ connectionString: databaseUrl })
      client.on('error', () => {})
      await client.connect()
      const asleep = client.query('select pg_sleep(3600)')
      interrupted.abort(new Error('Interrupted.'))
      await asleep
    }
    await expect(upgrade(dataDir, { verify, signal: interrupted.signal })).rejects.toThrow('Interrupted.')
    expect(await countOld(dataDir)).toBe(1)
    expect(await majorIn(join(dataDir, 'postgres'))).toBe('15')
  }, 240_000)

  test('killed again and again, the command leaves the old installation as it was, and then succeeds', async () => {
    const { dataDir } = await makeOld('killed')
    const run = async (killAfter: number, key = MASTER_KEY) => {
      const env = childEnvironment({ PATH: process.env['PATH'], DATA_DIR: dataDir, MASTER_KEY: key, DEMO: 'off' })
      const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      child.stderr.on('data', (text: Buffer) => (said += text.toString()))
      child.stdout.on('data', (text: Buffer) => {
        said += text.toString()
        if (said.split('\n').length > killAfter) child.kill('SIGKILL')
      })
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, said }
    }
    expect(await run(Infinity, '')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^There is no master key in/) as string,
    })
    for (const lines of [1, 4, 12]) expect((await run(lines)).code).toBeNull()
    expect(await majorIn(join(dataDir, 'postgres'))).toBe('15')
    const { code, said } = await run(Infinity)
    expect(said).toContain('The database is upgraded')
    expect(code).toBe(0)
    await startInstallation({ dataDir, masterKey: MASTER_KEY }, running)
    expect((await readdir(dataDir)).filter((name) => name.startsWith('old-postgres-15'))).toHaveLength(1)
  }, 240_000)

  test('an end between the two renames is finished by the next start; one before them changes nothing', async () => {
    const { dataDir } = await makeOld('swapping')
    const done = await upgrade(dataDir)
    await mkdir(join(dataDir, 'upgrade'))
    await rename(join(dataDir, 'postgres'), join(dataDir, 'upgrade', 'postgres'))
    await writeFile(join(dataDir, 'postgres-is-upgraded'), '')
    await (await startPostgres({ dataDir })).stop()
    expect(await majorIn(join(dataDir, 'postgres'))).toBe('18')

    await mkdir(join(dataDir, 'upgrade'))
    await rename(join(dataDir, 'postgres'), join(dataDir, 'upgrade', 'postgres'))
    await rename(done?.kept ?? '', join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres-is-upgraded'), '')
    await expect(startPostgres({ dataDir })).rejects.toThrow('npm run upgrade')
    expect(await countOld(dataDir)).toBe(1)
  }, 240_000)

  test('a new cluster that cannot get its name is kept, and the next start names it', async () => {
    const { dataDir } = await makeOld('unnamed')
    // Nothing can be renamed from another file system.
    const foreign = await mkdtemp('/dev/shm/strongroom-upgrade-')
    const [made, aside] = [join(dataDir, 'upgrade'), join(dataDir, 'aside')]
    const verify = async () => {
      await rename(made, aside)
      await mkdir(join(foreign, 'postgres'))
      await symlink(foreign, made)
    }
    await expect(upgrade(dataDir, { verify })).rejects.toThrow('EXDEV')
    expect(existsSync(join(made, 'postgres'))).toBe(true)
    await rm(foreign, { recursive: true })
    await expect(startPostgres({ dataDir })).rejects.toThrow('postgres is gone')
    await rm(made)
    await rename(aside, made)
    await (await startPostgres({ dataDir })).stop()
    expect(await majorIn(join(dataDir, 'postgres'))).toBe('18')
    expect((await readdir(dataDir)).filter((name) => name.startsWith('old-postgres-15'))).toHaveLength(1)
  }, 240_000)
})

describe('an upgrade', () => {
  test('that cannot be is refused in words', async () => {
    const dataDir = join(folder, 'refused')
    await expect(upgrade(dataDir)).rejects.toThrow(`There is no database in ${dataDir}.`)
    await mkdir(join(dataDir, 'postgres'), { recursive: true })
    const ofMajor = (major: string) => writeFile(join(dataDir, 'postgres', 'PG_VERSION'), `${major}\n`)
    await ofMajor('19')
    await expect(upgrade(dataDir)).rejects.toThrow('a downgrade is not possible')
    await ofMajor('9')
    await expect(upgrade(dataDir)).rejects.toThrow('whose programs are not on this machine')
    await expect(upgrade(dataDir, { from: '/usr' })).rejects.toThrow('/usr has no bin/postgres of PostgreSQL 9')
    await expect(requireRoom(dataDir, 1e18)).rejects.toThrow('There is too little room')
    const held = join(folder, 'running')
    await mkdir(held, { mode: 0o700 })
    const postgres = await startPostgres({ dataDir: held, durable: false })
    running.push(() => postgres.stop())
    await expect(upgrade(held)).rejects.toThrow('already runs on')
  }, 240_000)
})
