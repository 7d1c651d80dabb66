/** What DATABASE_URL says: the servers to try in this order, and what a connection to one of them can do. */
export interface DatabaseServers {
  /** A URL with one server each, in the form that `pg` reads. */
  urls: readonly [string, ...string[]]
  /** PgBouncer in transaction mode: each transaction may run on another connection to the server. */
  pooled: boolean
}

const FORM = /^(postgres(?:ql)?:\/\/)([^/?]*@)?([^/?]*)(\/[^?]*)?(?:\?([^]*))?$/
const ENTRY = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/
const PORT = '5432'
/** `pg` verifies the certificate and the host name in all of these modes; `verify-ca` needs its other reading. */
const VERIFIED = new Set(['prefer', 'require', 'verify-full'])
const MODES = new Set([...VERIFIED, 'disable', 'verify-ca', 'no-verify'])
/** A standby would show what was true a while ago. */
const ATTRIBUTES = ['read-write', 'primary']

/**
 * Reads a URL of PostgreSQL, which may name several servers: `postgresql://user@one:5432,two/db?sslmode=verify-full`.
 * @throws Error with one sentence, which repeats no part of the URL
 */
export function readDatabaseUrl(databaseUrl: string): DatabaseServers {
  const [, scheme, credentials = '', authority = '', path = '/', query = ''] = FORM.exec(databaseUrl) ?? []
  if (!scheme) throw new Error('must have the form postgresql://user:password@host:5432/database')
  const parameters = new URLSearchParams(query)
  const pooled = take(parameters, 'pgbouncer', ['true', 'false']) === 'true'
  take(parameters, 'target_session_attrs', ATTRIBUTES)
  readTls(parameters)
  const urls = serversOf(authority, parameters).map(({ host, port }) => {
    const own = new URLSearchParams(parameters)
    own.set('host', host.replace(/^\[(.+)\]$/, '$1'))
    own.set('port', port)
    // `pg` reads no '+' as a space.
    return `${scheme}${credentials || '@'}${path}?${own.toString().replaceAll('+', '%20')}`
  })
  return { urls: urls as [string, ...string[]], pooled }
}

function take(parameters: URLSearchParams, name: string, allowed: readonly string[]): string | undefined {
  const value = parameters.get(name)
  parameters.delete(name)
  if (value !== null && !allowed.includes(value)) throw new Error(`has ${name}, which must be ${allowed.join(' or ')}`)
  return value ?? undefined
}

function readTls(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode')
  if (mode === null) return
  if (!MODES.has(mode)) throw new Error(`has sslmode, which must be ${[...MODES].join(', ')}`)
  if (VERIFIED.has(mode)) parameters.set('sslmode', 'verify-full')
  if (mode !== 'verify-ca') return
  if (!parameters.has('sslrootcert')) throw new Error('has sslmode=verify-ca, which needs sslrootcert')
  parameters.set('uselibpqcompat', 'true')
}

/** The servers of the authority, or those of `host` and `port`, which name folders of Unix sockets too. */
function serversOf(authority: string, parameters: URLSearchParams): { host: string; port: string }[] {
  const hosts = parameters.get('host')?.split(',')
  if (hosts) {
    const ports = parameters.get('port')?.split(',') ?? []
    return hosts.map((host, at) => ({ host, port: ports[at] ?? ports[0] ?? PORT }))
  }
  return authority.split(',').map((entry) => {
    const [, host, port = PORT] = ENTRY.exec(entry) ?? []
    if (host === undefined || (host === '' && authority !== ''))
      throw new Error('must name hosts as host:port,host:port')
    return { host: decodeURIComponent(host || 'localhost'), port }
  })
}
