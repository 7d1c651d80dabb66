import type { Db } from '../db/pool.ts'
import { escapeHtml } from '../../wire/html.ts'
import { enqueue } from '../jobs/queue.ts'

interface DamageNotice {
  to: string
  workspace_name: string
  /** Title and version of each file with the content. */
  titles: readonly string[]
  url: string
}

const MAX_NAMED = 20

/** Tells an admin that stored content differs from what was uploaded. */
export async function enqueueDamageMail(db: Db, { to, workspace_name, titles, url }: DamageNotice): Promise<void> {
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
    html: `<p>${escapeHtml(lines[0])}</p>
<ul>${named.map((title) => `<li>${escapeHtml(title)}</li>`).join('')}</ul>
<p>${lines[1]}</p>
<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>
`,
  })
}
