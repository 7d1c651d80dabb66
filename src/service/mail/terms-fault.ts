import type { Db } from '../db/pool.ts'
import { enqueue, type JobPayloads } from '../jobs/queue.ts'
import type { RoomLook } from '../store/branding/sender.ts'
import { noticePageOf } from './look/notice-page.ts'
import { logoOf } from './look/origin.ts'

/** A PDF of terms: of an issued version, or of a draft if `version` is null. */
export interface NamedPdf {
  file_name: string
  title: string | null
  version: number | null
}

interface TermsNotice {
  to: string
  to_admin: NonNullable<JobPayloads['mail']['to_admin']>
  workspace_name: string
  fault: 'damaged' | 'infected'
  pdfs: readonly NamedPdf[]
  url: string
  look: RoomLook
}

const MAX_NAMED = 20

const WHAT = {
  damaged: (name: string) => `The storage of Strongroom has damaged PDFs of the terms of the workspace "${name}":`,
  infected: (name: string) => `Malware was found in PDFs of the terms of the workspace "${name}":`,
}
const REMEDY = {
  damaged: 'They are not shown any more, and cannot be accepted. Restore them from a backup, or issue new versions.',
  infected: 'They are not shown any more, and cannot be accepted. Issue new versions, or withdraw these.',
}

/** Tells an admin that PDFs of terms are not shown any more, and why. */
export async function enqueueTermsMail(db: Db, notice: TermsNotice): Promise<void> {
  const { to, to_admin, workspace_name, fault, pdfs, url, look } = notice
  const more = pdfs.length - MAX_NAMED
  const named = [...pdfs.slice(0, MAX_NAMED).map(nameOf), ...(more > 0 ? [`and ${more} more`] : [])]
  const [what, remedy] = [WHAT[fault](workspace_name), REMEDY[fault]]
  await enqueue(db, 'mail', {
    to,
    subject: `Terms of ${workspace_name} are ${fault}`.replace(/\s+/g, ' '),
    text: `${what}\n\n${named.map((each) => `- ${each}`).join('\n')}\n\n${remedy}\n\n${url}\n`,
    html: noticePageOf({ what, named, remedy, url }, look),
    ...logoOf(look),
    to_admin,
  })
}

const nameOf = ({ file_name, title, version }: NamedPdf): string =>
  version === null ? `${file_name}, a draft` : `${file_name}, version ${version} of "${title}"`
