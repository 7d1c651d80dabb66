import PostalMime from 'postal-mime'
import { requestOf } from '../../../client/request.ts'
import type { AnyEndpoint, CallParts } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import type { MailServer } from '../../../mail/testing/mail-server.ts'
import { createMailer } from '../../../mail/transport.ts'
import { sendNews } from '../../mail/send-news.ts'
import { openUnsubscribeTokens } from '../../mail/unsubscribe-token.ts'
import type { TestService } from '../start-service.ts'
import type { Person } from '../world.ts'
import { passTime } from './pass-time.ts'

export type Reading = [name: string, AnyEndpoint, CallParts]

type Place = Record<'workspace_id' | 'folder_id' | 'file_id' | 'group_id', number>

const NUMBERED: Record<string, keyof Place> = {
  '/workspaces/': 'workspace_id',
  '/folders/': 'folder_id',
  '/files/': 'file_id',
  '/groups/': 'group_id',
  '/permissions/files/': 'file_id',
  '/permissions/': 'folder_id',
}

/** A call of every endpoint that only reads, about a workspace and a folder, a file and a group in it. */
export function* everyReading(place: Place, termFor: (section: string) => string): Generator<Reading> {
  const { workspace_id, folder_id, file_id, group_id } = place
  for (const [section, endpoints] of Object.entries(api)) {
    for (const [key, endpoint] of Object.entries(endpoints) as [string, AnyEndpoint][]) {
      // Asking for a file is an act of its own.
      if (endpoint.method !== 'GET' || endpoint.eventStream || endpoint === api.downloads.getFile) continue
      const [, of] = Object.entries(NUMBERED).find(([prefix]) => endpoint.path.startsWith(prefix)) ?? []
      const named = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 1] as const)
      const params = { ...Object.fromEntries(named), id: of ? place[of] : workspace_id, workspace_id, file_id }
      const query: Record<string, unknown> = {
        workspace_id,
        group_id,
        group_ids: [group_id],
        folder_ids: [0, folder_id],
        file_ids: [file_id],
        q: termFor(section),
      }
      const known = Object.keys(endpoint.query?.shape ?? {})
      const asked = Object.fromEntries(Object.entries(query).filter(([name]) => known.includes(name)))
      yield [`${section}.${key}`, endpoint, { params, query: asked }]
    }
  }
}

export interface ReadReply {
  status: number
  text: string
  etag: unknown
}

const OF_CALL = /"(expiring\w*_url|expires|\w*url|age_seconds|new_since|last_active_at)":("[^"]*"|\d+|null)/g

/** The replies to a person, without what differs between two calls. */
export async function readEach(person: Person, readings: Iterable<Reading>): Promise<Map<string, ReadReply>> {
  const all = new Map<string, ReadReply>()
  for (const [name, endpoint, call] of readings) {
    const { path, init } = requestOf(endpoint, call)
    const response = await person.fetch(path, init)
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
    const own = text.replaceAll(response.headers.get('x-request-id') ?? '', '')
    // A PDF says when it was printed.
    const told = own.startsWith('"JVBERi0') ? '' : own.replaceAll(OF_CALL, '')
    const total = response.headers.get('x-total-count')
    all.set(`${name} ${path}`, {
      status: response.status,
      text: told,
      etag: [total, told === own && response.headers.get('etag')],
    })
  }
  return all
}

/** Sends what is news an hour later, and returns the mails: to whom, the subject and the text. */
export async function mailsOfNews({ services }: TestService, mail: MailServer): Promise<string[]> {
  const mailer = createMailer({ smtpUrl: mail.url, from: 'Strongroom <no-reply@rooms.test>', outbox: '/nonexistent' })
  const means = {
    db: services.db,
    tokens: openUnsubscribeTokens(services.vault),
    publicUrl: 'http://dashboard.test',
    send: mailer.send,
    log: { info() {}, warn() {} },
  }
  mail.received.length = 0
  await passTime(services.db, 60)
  await sendNews(means, new Date(), new AbortController().signal)
  mailer.close()
  const parsed = await Promise.all(mail.received.map(async ({ text }) => PostalMime.parse(text)))
  return parsed.map(
    ({ to, subject, text }) => `${to?.[0]?.address}\n${subject}\n${String(text).replaceAll('\u2060', '')}`,
  )
}
