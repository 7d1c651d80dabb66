import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine } from './machines.ts'

/** Ports of the balancer. */
export const PORTS = { primary: 5000, replicas: 5001, web: 3000, api: 4000 }
const POOLER_PORT = 6432

interface Behind {
  databases: readonly Machine[]
  services: readonly Machine[]
  proxies: readonly Machine[]
}

/** HAProxy asks Patroni which PostgreSQL is the primary, and each service and proxy whether it is ready. */
export async function startBalancer(machine: Machine, folder: string, behind: Behind): Promise<void> {
  const file = join(folder, 'haproxy.cfg')
  const { databases, services, proxies } = behind
  const text = [
    ['global', '  maxconn 4000'],
    ['defaults', '  timeout connect 500ms', '  timeout check 1s', '  timeout client 10m', '  timeout server 10m'],
    ['  retries 3', '  option redispatch 1', '  option forwardfor if-none'],
    postgres(machine, PORTS.primary, databases, '/primary'),
    postgres(machine, PORTS.replicas, databases, '/replica'),
    web(machine, PORTS.web, proxies),
    web(machine, PORTS.api, services),
  ]
  await writeFile(file, `${text.flat().join('\n')}\n`)
  machine.start({ name: 'haproxy', command: ['/usr/sbin/haproxy', '-db', '-f', file] })
}

const CHECKS = '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions'

const postgres = ({ address }: Machine, port: number, databases: readonly Machine[], path: string) => [
  `listen postgres-${port}`,
  '  mode tcp',
  `  bind ${address}:${port}`,
  `  option httpchk OPTIONS ${path}`,
  '  http-check expect status 200',
  CHECKS,
  ...databases.map((each) => `  server ${each.name} ${each.address}:5432 check port 8008`),
]

const web = ({ address }: Machine, port: number, nodes: readonly Machine[]) => [
  `listen web-${port}`,
  '  mode http',
  `  bind ${address}:${port}`,
  '  option httpchk GET /readyz',
  CHECKS,
  ...nodes.map((each) => `  server ${each.name} ${each.address}:${port} check`),
]

/** PgBouncer in transaction mode, in front of the balancer's port of the primary. @returns its DATABASE_URL */
export async function startPooler(machine: Machine, folder: string, balancer: Machine): Promise<string> {
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  await writeFile(users, '"strongroom" ""\n')
  const text = [
    '[databases]',
    `strongroom = host=${balancer.address} port=${PORTS.primary} dbname=strongroom`,
    '[pgbouncer]',
    `listen_addr = ${machine.address}`,
    `listen_port = ${POOLER_PORT}`,
    'auth_type = trust',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    'max_client_conn = 600',
    'default_pool_size = 40',
    'server_login_retry = 1',
    'server_connect_timeout = 3',
    'query_wait_timeout = 10',
  ]
  await writeFile(file, `${text.join('\n')}\n`)
  machine.start({ name: 'pgbouncer', user: 'postgres', command: ['/usr/sbin/pgbouncer', file] })
  return `postgresql://strongroom@${machine.address}:${POOLER_PORT}/strongroom?pgbouncer=true`
}
