import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'

/** The same work done by the layers below us: the database, the disk, a server without logic. */
export interface References {
  /** Inserts one row durably. */
  commit(): Promise<unknown>
  /** Runs a query that finds nothing. */
  query(): Promise<unknown>
  writeFile(content: Buffer): Promise<void>
  /** Hashes and writes a stream, durably. */
  writeStream(size: number): Promise<void>
  /** Starts a plain Node server that sends these bytes from memory. @returns its URL */
  serve(body: Buffer): Promise<string>
  close(): Promise<void>
}

export async function openReferences(databaseUrl: string, folder: string): Promise<References> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('create unlogged table if not exists bench_nothing (id int)')
  await client.query('create table if not exists bench_commits (at int, note text)')
  const servers: { close(): void; closeAllConnections(): void }[] = []
  const listen = async (respond: Parameters<typeof createServer>[1]) => {
    const server = createServer(respond).listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  return {
    commit: () =>
      client.query({ name: 'commit', text: 'insert into bench_commits values ($1, $2)', values: [1, 'a folder'] }),
    query: () => client.query({ name: 'query', text: 'select id from bench_nothing where id = $1', values: [1] }),
    async writeFile(content) {
      const path = join(folder, randomBytes(8).toString('hex'))
      const file = await open(path, 'w')
      await file.write(content)
      await file.sync()
      await file.close()
      await rm(path)
    },
    // The file stays, as an upload does: to write into the memory of a removed file costs the kernel much less.
    async writeStream(size) {
      const path = join(folder, randomBytes(8).toString('hex'))
      const hash = createHash('sha256')
      const hashing = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk)
          done(null, chunk)
        },
      })
      await pipeline(bytes(size), hashing, createWriteStream(path, { flush: true }))
      hash.digest()
    },
    serve: (body) =>
      listen((_request, reply) => void reply.writeHead(200, { 'content-length': body.length }).end(body)),
    async close() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
      await client.query('drop table bench_nothing, bench_commits')
      await client.end()
    },
  }
}

/** Creates a stream of `size` bytes that costs next to nothing to produce. */
export function bytes(size: number): Readable {
  const chunk = randomBytes(64 * 1024)
  let left = size
  return new Readable({
    read() {
      const length = Math.min(left, chunk.length)
      left -= length
      this.push(length === 0 ? null : chunk.subarray(0, length))
    },
  })
}
