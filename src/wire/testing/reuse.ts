import { Agent, request } from 'node:http'

interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  body: Buffer
}

/** How long the second request may take; a connection with an unread body never answers it. */
const PATIENCE_MS = 15_000

/**
 * Sends two requests over one connection, as long as the server keeps it open.
 * @returns both statuses; the first is 0 if the server closed before its reply arrived
 */
export async function sendAndReuse(url: string, first: Sent, host?: string): Promise<[number, number]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const refused = await send(url, agent, first, host).catch(() => 0)
    return [refused, await send(url, agent, { method: 'GET', path: '/healthz', body: Buffer.alloc(0) }, host)]
  } finally {
    agent.destroy()
  }
}

function send(url: string, agent: Agent, { method, path, headers, body }: Sent, host?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = body.length > 0 ? { 'content-length': body.length } : {}
    const sent = request(url + path, { method, agent, headers: { ...(host && { host }), ...headers, ...length } })
    const unanswered = new Error('no answer on a connection that was kept open')
    const timer = setTimeout(() => sent.destroy(unanswered), PATIENCE_MS)
    sent.on('error', reject).on('close', () => clearTimeout(timer))
    sent.on('response', (response) => {
      response.resume().on('error', reject)
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    // Sent in pieces, so that the server answers while more is to come.
    for (let at = 0; at < body.length; at += 60_000) sent.write(body.subarray(at, at + 60_000))
    sent.end()
  })
}
