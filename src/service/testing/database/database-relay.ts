import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'

export interface DatabaseRelay {
  /** The same database, through the relay. */
  url: string
  /** Breaks all connections and refuses new ones until `open`. */
  close(): Promise<void>
  open(): Promise<void>
  /** Breaks the current connections; new ones are accepted. */
  cut(): void
  /** Breaks each connection after a statement with this text went to the server, before its reply arrives. */
  cutAfter(text: string | undefined): void
  /** Counts what requests and jobs sent since the last call. */
  meter(): Traffic
  dispose(): Promise<void>
}

export interface Traffic {
  statements: number
  /** Sends after a reply. Statements that are sent before any of their replies arrives share a round trip. */
  roundTrips: number
}

/** A relay between the service and PostgreSQL (a Unix socket or a TCP port) that can break the connections. */
export async function startDatabaseRelay(databaseUrl: string): Promise<DatabaseRelay> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-'))
  const target = targetOf(databaseUrl)
  const sockets = new Set<Socket>()
  let trigger: string | undefined
  let server: Server
  let traffic: Traffic = { statements: 0, roundTrips: 0 }
  let hasReplied = true

  const breakAll = () => sockets.forEach((socket) => socket.destroy())
  const accept = (client: Socket) => {
    const database = connect(target)
    let isCut = false
    const countStatements = statementCounter()
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from)
          // Ends after the bytes already written, so that the server acts on them before it sees the end.
          to.end()
        })
    }
    client.on('data', (bytes) => {
      isCut ||= trigger !== undefined && bytes.includes(trigger)
      const statements = countStatements(bytes)
      traffic.statements += statements
      if (statements > 0 && hasReplied) traffic.roundTrips++
      if (statements > 0) hasReplied = false
      database.write(bytes)
      // The server still runs the statement, but the client never gets the reply.
      if (isCut) setTimeout(() => client.destroy(), 50)
    })
    database.on('data', (bytes) => {
      hasReplied = true
      if (!isCut) client.write(bytes)
    })
  }
  const open = async () => {
    server = createServer(accept).listen(join(folder, '.s.PGSQL.5432'))
    await once(server, 'listening')
  }
  await open()
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    breakAll()
    await closed
  }
  const url = new URL(databaseUrl.replace('@/', '@localhost/'))
  url.searchParams.set('host', folder)
  url.searchParams.set('port', '5432')
  return {
    url: url.href.replace(/@localhost(:\d+)?\//, '@/'),
    open,
    close,
    cut: breakAll,
    cutAfter: (text) => void (trigger = text),
    meter() {
      const counted = traffic
      traffic = { statements: 0, roundTrips: 0 }
      hasReplied = true
      return counted
    },
    async dispose() {
      if (server.listening) await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const EXECUTE = 0x45
const QUERY = 0x51

/** What the hinters of `db/hints.ts` send some time after an act. No request waits for it, so it is not counted. */
const HINT = Buffer.from('notify "strongroom_')

/** Counts the statements in the messages of a client, which may arrive in any pieces. The first message has no type. */
function statementCounter(): (bytes: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0)
  let typeBytes = 0
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    let statements = 0
    while (rest.length >= typeBytes + 4) {
      const end = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < end) break
      const isHint = rest.subarray(5, 5 + HINT.length).equals(HINT)
      if (typeBytes === 1 && (rest[0] === EXECUTE || rest[0] === QUERY) && !isHint) statements++
      rest = rest.subarray(end)
      typeBytes = 1
    }
    return statements
  }
}

function targetOf(databaseUrl: string) {
  const { hostname, port, searchParams } = new URL(databaseUrl.replace('@/', '@localhost/'))
  const folder = searchParams.get('host')
  if (folder) return { path: join(folder, `.s.PGSQL.${searchParams.get('port') ?? 5432}`) }
  return { host: hostname, port: Number(port || 5432) }
}
