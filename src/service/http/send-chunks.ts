import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { refusal } from '../base/errors.ts'
import type { Chunks } from '../blobs/chunks.ts'
import { toRefusal } from '../blobs/integrity.ts'

interface Head {
  status: number
  headers: OutgoingHttpHeaders
}

/**
 * Sends chunks, of which one is on its way while the next one is made. Until the first one is there, a failure can still
 * be answered; later, only breaking the connection tells the client that the rest is missing.
 */
export async function sendChunks(reply: FastifyReply, head: Head, chunks: Chunks): Promise<void> {
  let sent: Promise<void> | undefined
  try {
    for await (const chunk of chunks) {
      if (!sent) sendHead(reply, head)
      await sent
      sent = send(reply.raw, chunk)
    }
    await sent
    reply.raw.end()
  } catch (error) {
    if (!sent) return toRefusal(error)
    reply.log.info({ err: error }, 'a transfer broke off')
    reply.raw.destroy()
  }
}

/** Sends bytes with the head at once. */
export function sendBytes(reply: FastifyReply, head: Head, bytes: Buffer): void {
  sendHead(reply, head)
  reply.raw.end(bytes)
}

/** Takes the reply from Fastify, with the headers that it has already. */
function sendHead(reply: FastifyReply, { status, headers }: Head): void {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.writeHead(status, headers)
}

function send(reply: ServerResponse, chunk: Buffer): Promise<void> {
  const { socket } = reply
  const sent = new Promise<void>((resolve, reject) => {
    const giveUp = () => reject(refusal('client_gone'))
    if (!socket || socket.destroyed) return giveUp()
    socket.once('close', giveUp)
    reply.write(chunk, (error) => {
      socket.off('close', giveUp)
      if (error) reject(error)
      else resolve()
    })
  })
  // A failure is seen before the next chunk.
  sent.catch(() => {})
  return sent
}
