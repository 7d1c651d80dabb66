import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { sign } from '../../signing/signature.ts'
import type { WorkspaceEvent } from '../events/follower.ts'
import type { Person } from './world.ts'

export interface EventReader {
  status: number
  type: string | undefined
  /** The events received so far. */
  seen: WorkspaceEvent[]
  /** Settles when the connection has ended, from either side. */
  ended: Promise<unknown>
  /** Closes the connection. */
  leave(): void
}

/**
 * Follows a workspace on a separate connection. `fetch` would open spare connections, which delay a server's shutdown.
 */
export async function readEvents(
  service: { url: string },
  { credentials }: Pick<Person, 'credentials'>,
  workspaceId: number,
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const signed = sign(credentials, Math.floor(Date.now() / 1000) + 60)
  const path = urlOf(api.events.follow, { params: { id: workspaceId } })
  const request = get(service.url + path, { agent: false, headers: { ...signed, ...headers } })
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  const ended = once(reply, 'close')
  const seen: WorkspaceEvent[] = []
  let text = ''
  reply
    .setEncoding('utf8')
    .on('error', () => {})
    .on('data', (chunk: string) => {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        if (block.startsWith('data: ')) seen.push(JSON.parse(block.slice(6)) as WorkspaceEvent)
      }
    })
  return {
    status: reply.statusCode ?? 0,
    type: reply.headers['content-type'],
    seen,
    ended,
    leave: () => reply.destroy(),
  }
}
