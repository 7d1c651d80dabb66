import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

// A plain server of the files in a folder, as a process of its own: the reference for downloads.

const [folder = ''] = process.argv.slice(2)

const server = createServer((request, reply) => {
  void send(join(folder, request.url ?? '')).catch(() => reply.destroy())

  async function send(path: string): Promise<void> {
    const { size } = await stat(path)
    reply.writeHead(200, { 'content-length': size })
    createReadStream(path).pipe(reply)
  }
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
