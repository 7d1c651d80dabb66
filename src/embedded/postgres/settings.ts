import { MAJOR } from './binaries.ts'

export const DATABASE = 'strongroom'
export const USER = 'strongroom'
export const PORT = 5432

const BASE = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: PORT,
  cluster_name: 'strongroom',
  max_connections: 100,
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  random_page_cost: 1.1,
  wal_buffers: '4MB',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  autovacuum_analyze_scale_factor: 0.05,
  // For short statements of many callers, parallel workers and compilation cost more than they save.
  max_parallel_workers_per_gather: 0,
  jit: 'off',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // Statements and key values contain users' data, which must not be logged.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const THROWAWAY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Settings that earlier major versions refuse, and the first that knows them. */
const SINCE: Record<string, number> = { io_method: 18 }

export function argumentsFor(clusterDir: string, socketDir: string, durable: boolean, major = MAJOR): string[] {
  const known = Object.entries(BASE).filter(([name]) => Number(major) >= (SINCE[name] ?? 0))
  const settings = {
    ...Object.fromEntries(known),
    ...(durable ? DURABLE : THROWAWAY),
    unix_socket_directories: socketDir,
  }
  return ['-D', clusterDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** Allows only the socket, and only the system users of the map, whose identity the kernel confirms. */
export const HBA = `local all ${USER} peer map=strongroom\nlocal replication ${USER} peer map=strongroom\n`

export const identMap = (systemUsers: string[]): string =>
  systemUsers.map((name) => `strongroom "${name}" ${USER}\n`).join('')

/** A connection string for `pg`: the host is the folder of the socket. */
export const connectionString = (socketDir: string, database: string): string =>
  `postgresql://${USER}@/${database}?host=${encodeURIComponent(socketDir)}&port=${PORT}`
