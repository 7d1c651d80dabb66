import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Machine, Network } from './machines.ts'

// Three machines, each with etcd, Patroni and PostgreSQL 15. A commit is acknowledged once a standby has it on disk.

const BIN = '/usr/lib/postgresql/15/bin'
const USER = 'postgres'
const READY_WITHIN = 120_000
const ANSWER_MS = 1500
const SWITCHED_WITHIN = 60_000

export interface Databases {
  machines: Machine[]
  primary(): Promise<Machine>
  etcdLeader(): Promise<Machine>
  /** Asks the primary directly. */
  query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]>
  /** Waits for a primary with two streaming standbys, one of them synchronous. */
  untilWhole(): Promise<void>
}

/** The process id of PostgreSQL on that machine. @throws Error if it does not run */
export function postmasterOf(folder: string, { name }: Machine): number {
  const data = join(folder, name, 'data')
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data))
    throw new Error(`PostgreSQL does not run on ${name}`)
  return pid
}

/** Moves the role of the primary to a standby, as for maintenance. */
export async function switchOver(primary: Machine): Promise<void> {
  const body = JSON.stringify({ leader: primary.name })
  const signal = AbortSignal.timeout(SWITCHED_WITHIN)
  const response = await fetch(`http://${primary.address}:8008/switchover`, { method: 'POST', body, signal })
  if (!response.ok) throw new Error(`Patroni refused the switchover: ${await response.text()}`)
}

export async function startDatabases(network: Network, folder: string): Promise<Databases> {
  const machines = ['db1', 'db2', 'db3'].map((name) => network.machine(name))
  const peers = machines.map(({ name, address }) => `${name}=http://${address}:2380`).join(',')
  for (const machine of machines) {
    const home = join(folder, machine.name)
    await mkdir(home, { mode: 0o700 })
    await writeFile(join(home, 'patroni.json'), JSON.stringify(patroniConfig(machine, machines, home, network.range)))
    await chmod(home, 0o700)
    execFileSync('chown', ['-R', USER, home])
    machine.start(etcd(machine, home, peers))
    machine.start({ name: 'patroni', user: USER, command: ['/usr/bin/patroni', join(home, 'patroni.json')] })
  }
  const find = async (isIt: (machine: Machine) => Promise<boolean>): Promise<Machine | undefined> => {
    const found = await Promise.all(machines.map((machine) => isIt(machine).catch(() => false)))
    return machines[found.indexOf(true)]
  }
  const databases: Databases = {
    machines,
    primary: () => retried('no primary', () => find(isPrimary)),
    etcdLeader: () => retried('no etcd leader', () => find(isEtcdLeader)),
    async query<Row extends pg.QueryResultRow>(text: string, values: unknown[]) {
      return ask<Row>(await databases.primary(), { user: 'strongroom', database: 'strongroom' }, text, values)
    },
    async untilWhole() {
      await retried('the standbys did not return', () => find(isWhole), READY_WITHIN)
    },
  }
  await databases.untilWhole()
  await createDatabase(await databases.primary())
  return databases
}

function etcd({ name, address }: Machine, home: string, peers: string) {
  const settings = {
    name: name,
    'data-dir': join(home, 'etcd'),
    'listen-peer-urls': `http://${address}:2380`,
    'initial-advertise-peer-urls': `http://${address}:2380`,
    'listen-client-urls': `http://${address}:2379`,
    'advertise-client-urls': `http://${address}:2379`,
    'initial-cluster': peers,
    'heartbeat-interval': '200',
    'election-timeout': '2000',
    'enable-v2': 'true',
  }
  const args = Object.entries(settings).map(([key, value]) => `--${key}=${value}`)
  return { name: 'etcd', user: USER, command: ['/usr/bin/etcd', ...args] }
}

/** Patroni reads YAML, of which JSON is a part. */
function patroniConfig({ name, address }: Machine, machines: readonly Machine[], home: string, range: string) {
  return {
    scope: 'strongroom',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    // Patroni 3.0 may lose the watch of version 3 when the leader of etcd is lost, and then assigns no standby any more.
    etcd: { hosts: machines.map((each) => `${each.address}:2379`) },
    bootstrap: {
      dcs: {
        // Seconds until a silent primary is replaced. Patroni 3.1 and later raise this to 20.
        ttl: 15,
        loop_wait: 2,
        retry_timeout: 5,
        primary_start_timeout: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: PARAMETERS },
      },
      initdb: ['data-checksums', { encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(home, 'data'),
      bin_dir: BIN,
      pgpass: join(home, 'pgpass'),
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      parameters: { unix_socket_directories: home },
      pg_hba: ['local all all trust', `host all all ${range} trust`, `host replication all ${range} trust`],
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
    },
  }
}

const PARAMETERS = {
  shared_buffers: '32MB',
  max_connections: 150,
  dynamic_shared_memory_type: 'mmap',
  wal_keep_size: '256MB',
  wal_sender_timeout: '4s',
  wal_receiver_timeout: '4s',
  tcp_user_timeout: '5s',
  checkpoint_timeout: '1min',
}

/** deploy/settings.md, PgBouncer. */
const SETTINGS = [
  "statement_timeout = '60s'",
  "idle_in_transaction_session_timeout = '60s'",
  'jit = off',
  'max_parallel_workers_per_gather = 0',
  'enable_seqscan = off',
]

async function createDatabase(primary: Machine): Promise<void> {
  const admin = { user: 'postgres', database: 'postgres' }
  await ask(primary, admin, 'create role strongroom login')
  for (const setting of SETTINGS) await ask(primary, admin, `alter role strongroom set ${setting}`)
  await ask(primary, admin, 'create database strongroom owner strongroom')
}

async function ask<Row extends pg.QueryResultRow>(
  { address }: Machine,
  to: { user: string; database: string },
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ ...to, host: address, connectionTimeoutMillis: ANSWER_MS, query_timeout: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

async function get(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
  return response.ok ? response.json() : undefined
}

const isPrimary = async ({ address }: Machine) => (await get(`http://${address}:8008/primary`)) !== undefined

interface Member {
  name: string
  role: string
  state: string
}

export async function standbyOf(primary: Machine, machines: readonly Machine[]): Promise<Machine> {
  const { members } = (await get(`http://${primary.address}:8008/cluster`)) as { members: Member[] }
  const name = members.find(({ role }) => role === 'sync_standby')?.name
  const standby = machines.find((each) => each.name === name)
  if (!standby) throw new Error('no standby is synchronous')
  return standby
}

async function isWhole(machine: Machine): Promise<boolean> {
  if (!(await isPrimary(machine))) return false
  const { members } = (await get(`http://${machine.address}:8008/cluster`)) as { members: Member[] }
  const count = (role: string) => members.filter((each) => each.role === role && each.state === 'running').length
  return count('leader') === 1 && count('sync_standby') === 1 && count('replica') === 1
}

async function isEtcdLeader({ address }: Machine): Promise<boolean> {
  const response = await fetch(`http://${address}:2379/v3/maintenance/status`, {
    method: 'POST',
    body: '{}',
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  const { leader, header } = (await response.json()) as { leader: string; header: { member_id: string } }
  return leader === header.member_id
}

async function retried<T>(failure: string, attempt: () => Promise<T | undefined>, within = READY_WITHIN): Promise<T> {
  for (const end = Date.now() + within; Date.now() < end; await sleep(200)) {
    const found = await attempt()
    if (found !== undefined) return found
  }
  throw new Error(`${failure} within ${within / 1000} s`)
}
