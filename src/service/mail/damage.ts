import type { Db } from '../db/pool.ts'
import { enqueue, type JobPayloads } from '../jobs/queue.ts'
import type { RoomLook } from '../store/branding/sender.ts'
import { noticePageOf } from './look/notice-page.ts'
import { logoOf } from './look/origin.ts'

interface DamageNotice {
  to: string
  to_admin: NonNullable<JobPayloads['mail']['to_admin']>
  workspace_name: string
  /** Title and version of each file with the content. */
  titles: readonly string[]
  url: string
  look: RoomLook
}

const MAX_NAMED = 20

/** Tells an admin that stored content differs from what was uploaded. */
export async function enqueueDamageMail(db: Db, notice: DamageNotice): Promise<void> {
  const { to, to_admin, workspace_name, titles, url, look } = notice
  const more = titles.length - MAX_NAMED
  const named = [...titles.slice(0, MAX_NAMED), ...(more > 0 ? [`and ${more} more`] : [])]
  const what = titles.length === 1 ? 'A file' : `${titles.length} files`
  const lines = [
    `The storage of Strongroom has damaged content in the workspace "${workspace_name}":`,
    'It is not delivered any more. Upload it again, or restore it from a backup.',
  ] as const
  await enqueue(db, 'mail', {
    to,
    subject: `${what} in ${workspace_name} ${titles.length === 1 ? 'is' : 'are'} damaged`.replace(/\s+/g, ' '),
    text: `${lines[0]}\n\n${named.map((title) => `- ${title}`).join('\n')}\n\n${lines[1]}\n\n${url}\n`,
    html: noticePageOf({ what: lines[0], named, remedy: lines[1], url }, look),
    ...logoOf(look),
    to_admin,
  })
}
