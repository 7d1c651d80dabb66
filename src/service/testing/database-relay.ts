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
  dispose(): Promise<void>
}

/** A relay between the service and PostgreSQL (a Unix socket or a TCP port) that can break the connections. */
export async function startDatabaseRelay(databaseUrl: string): Promise<DatabaseRelay> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-'))
  const target = targetOf(databaseUrl)
  const sockets = new Set<Socket>()
  let trigger: string | undefined
  let server: Server

  const breakAll = () => sockets.forEach((socket) => socket.destroy())
  const accept = (client: Socket) => {
    const database = connect(target)
    let isCut = false
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
      database.write(bytes)
      // The server still runs the statement, but the client never gets the reply.
      if (isCut) setTimeout(() => client.destroy(), 50)
    })
    database.on('data', (bytes) => isCut || client.write(bytes))
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
    async dispose() {
      if (server.listening) await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function targetOf(databaseUrl: string) {
  const { hostname, port, searchParams } = new URL(databaseUrl.replace('@/', '@localhost/'))
  const folder = searchParams.get('host')
  if (folder) return { path: join(folder, `.s.PGSQL.${searchParams.get('port') ?? 5432}`) }
  return { host: hostname, port: Number(port || 5432) }
}
