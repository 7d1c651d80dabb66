import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '../../contract/index.ts'
import { startPostgres } from '../../embedded/postgres.ts'
import { Client } from '../../service/testing/client.ts'
import { ROOT } from '../sources.ts'

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

/** A program of the product in a process of its own. */
export interface Program {
  name: string
  url: string
  /** Longest block of its event loop since the last call, in milliseconds. @throws Error when it has ended */
  longestBlock(): Promise<number>
}

/** The real service and proxy, each in its own process, with one organization, workspace and signed-in person. */
export interface Stand {
  service: Program
  proxy: Program
  /** Signs as an organization admin who is an admin of the workspace. */
  admin: Client
  workspaceId: number
  groupId: number
  databaseUrl: string
  /** Path of an expiring URL of a file. */
  contentPath: string
  /** `Cookie` header of a person signed in at the proxy. */
  cookie: string
  close(): Promise<void>
}

export async function openStand(): Promise<Stand> {
  const dataDir = await mkdtemp(join(tmpdir(), 'strongroom-fuzz-'))
  const undo: (() => unknown)[] = [() => rm(dataDir, { recursive: true, force: true })]
  const close = async () => {
    for (const each of undo.splice(0).toReversed()) await each()
  }
  try {
    const postgres = await startPostgres({ dataDir, durable: false })
    undo.push(() => postgres.stop())
    const secrets = { key: hex(20), secret: hex(32), token: hex(20), masterKey: hex(32) }
    const service = await start('service', undo, {
      DATABASE_URL: postgres.databaseUrl,
      DATA_DIR: dataDir,
      MASTER_KEY: secrets.masterKey,
      API_PORT: '0',
      RATE_LIMIT: 'off',
      AUTH_FAILURE_LIMIT: 'off',
      BOOTSTRAP_API_KEY: secrets.key,
      BOOTSTRAP_API_SECRET: secrets.secret,
      BOOTSTRAP_ADMIN_TOKEN: secrets.token,
      BOOTSTRAP_ADMIN_EMAIL: 'olivia@example.com',
    })
    const proxy = await start('proxy', undo, {
      API_URL: service.url,
      API_KEY: secrets.key,
      API_SECRET: secrets.secret,
      ADMIN_TOKEN: secrets.token,
      MASTER_KEY: secrets.masterKey,
      PORT: '0',
      DATA_DIR: dataDir,
      DIST_DIR: await buildPage(dataDir),
      DEMO_PEOPLE: 'olivia@example.com',
    })
    const admin = new Client(service.url, secrets)
    const { databaseUrl } = postgres
    return { service, proxy, admin, databaseUrl, ...(await makeRoom(admin)), cookie: await signIn(proxy.url), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function start(name: 'service' | 'proxy', undo: (() => unknown)[], env: NodeJS.ProcessEnv): Promise<Program> {
  const child = fork(join(ROOT, 'src', name, 'main.ts'), {
    env: { PATH: process.env['PATH'], ...env },
    execArgv: ['--disable-proto=delete', '--import', join(import.meta.dirname, 'watch-loop.ts')],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  undo.push(() => end(child))
  const url = await urlOf(child, name)
  return { name, url, longestBlock: () => ask(child, name) }
}

/** The output is read on, because a program that cannot write its log ends. */
function urlOf(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('exit', () => reject(new Error(`The ${name} ended at its start.`)))
    child.stdout?.on('data', (text) => {
      said = (said + String(text)).slice(-10_000)
      const [, url] = new RegExp(`${name}: (http\\S+)\\n`).exec(said) ?? []
      if (url !== undefined) resolve(url)
    })
  })
}

function ask(child: ChildProcess, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`The ${name} has ended (${code ?? child.signalCode}).`))
    if (child.exitCode !== null || child.signalCode !== null) return onExit(child.exitCode)
    child.once('exit', onExit)
    // The program also sends its supervisor other messages.
    const onMessage = ({ longestBlock }: { longestBlock?: number }) => {
      if (longestBlock === undefined) return
      child.off('exit', onExit).off('message', onMessage)
      resolve(longestBlock)
    }
    child.on('message', onMessage)
    child.send('longest block?')
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function buildPage(dataDir: string): Promise<string> {
  const dist = join(dataDir, 'dist')
  await mkdir(join(dist, 'assets'), { recursive: true })
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>Strongroom</title>')
  await writeFile(join(dist, 'assets', 'main-1a2b3c4d.js'), 'console.log(1)')
  return dist
}

async function makeRoom(admin: Client): Promise<Pick<Stand, 'workspaceId' | 'groupId' | 'contentPath'>> {
  const team = await admin.call(api.teams.create, { body: { team: { name: 'Deals' } } })
  const workspace = await admin.call(api.workspaces.create, {
    body: { workspace: { name: 'Harbour', team_id: team.id } },
  })
  const group = await admin.call(api.groups.create, {
    body: { group: { name: 'Bidders', workspace_id: workspace.id } },
  })
  const query = { workspace_id: workspace.id, folder_id: 0, file_name: 'report.txt' }
  const file = await admin.call(api.files.upload, { query }, 'report '.repeat(100))
  const { expiring_url } = await admin.call(api.downloads.getFile, {
    params: { file_id: file.id },
    query: { workspace_id: workspace.id },
  })
  return { workspaceId: workspace.id, groupId: group.id, contentPath: new URL(expiring_url).pathname }
}

async function signIn(url: string): Promise<string> {
  const reply = await fetch(`${url}/auth/demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: 'olivia@example.com' }),
  })
  const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';')
  if (!reply.ok || cookie === '') throw new Error(`Nobody could sign in: ${reply.status} ${await reply.text()}`)
  return cookie
}
