import { sql } from 'kysely'
import type { Mail } from '../../mail/transport.ts'
import type { Config } from '../base/config.ts'
import { examineApart } from '../doctor/examine-apart.ts'
import { storeExamination } from '../store/health/system.ts'
import { buildDownload } from '../documents/zip/build-download.ts'
import { giveUp } from '../documents/ingest/give-up.ts'
import { createConverter } from '../documents/convert/convert.ts'
import type { OfficeEngine } from '../documents/convert/engine/office-engine.ts'
import { ingest } from '../documents/ingest/ingest.ts'
import { openDocuments } from '../documents/ingest/open-documents.ts'
import { openRenderer } from '../documents/render.ts'
import { createOverlays } from '../documents/watermark/plan/overlay.ts'
import type { JobKind } from '../jobs/queue.ts'
import { type Runners, runNextJob } from '../jobs/run.ts'
import { deliverEmailCode } from '../mail/email-change.ts'
import { deliverExpertMail } from '../mail/expert-mail.ts'
import { deliverMail } from '../mail/invitation.ts'
import { openDrafts } from '../mail/publish-drafts.ts'
import type { TestService } from './start-service.ts'

const overlays = createOverlays()
const NO_PROGRAMS = { office: [], heif: [] }

/** Builds the due downloads and examines, as the worker would; discards mails. */
export async function runJobs({ services, config }: TestService): Promise<void> {
  const runners: Runners = {
    mail: async () => {},
    email_code: async () => {},
    expert_mail: async () => {},
    open_drafts: ({ schedule_id }) => openDrafts({ ...services, publicUrl: config.publicUrl }, schedule_id),
    examine: async (_, { signal }) =>
      storeExamination(services.db, await examineApart(config, { limitMs: 60_000, signal })),
    zip: (key) => buildDownload({ ...services, overlays }, key),
    ingest: () => Promise.reject(new Error('documents are read by readDocuments')),
  }
  while (await runNextJob(services.db, runners, { kinds: ['mail', 'expert_mail', 'open_drafts', 'examine', 'zip'] }));
}

/** Shared by all tests of a file: its processes start once and end with the file, or when idle. */
const renderer = openRenderer()

/** Reads the due documents, as the worker would; with an engine, as on a machine without LibreOffice. */
export async function readDocuments(
  { services, config }: TestService,
  overrides: Partial<Config> = {},
  engine?: OfficeEngine,
): Promise<void> {
  const { db } = services
  const documents = openDocuments({ ...config, ...overrides }, { ...services, renderer })
  if (engine) documents.converter = createConverter({ sandboxing: 'off', renderer, engine, programs: NO_PROGRAMS })
  const nothing = async () => {}
  const runners: Runners = {
    mail: nothing,
    email_code: nothing,
    expert_mail: nothing,
    open_drafts: nothing,
    examine: nothing,
    zip: nothing,
    ingest: (key) => ingest(documents, key),
  }
  do while (await runNextJob(db, runners, { kinds: ['ingest'], whenParked: giveUp(db) }));
  while (await hastenPutBack(services))
}

/** On a busy machine, documents are put back for want of time or memory, and continue after a pause. */
async function hastenPutBack({ db }: TestService['services']): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ run_at: sql`now()` })
    .where('kind', '=', 'ingest')
    .where('put_back', '>', 0)
    .where('parked_at', 'is', null)
    .where('run_at', '>', sql<string>`now()`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Takes due mails out of the queue as the worker would, codes for address changes included, oldest first. */
export async function takeMails({ services, config }: TestService): Promise<Mail[]> {
  const mails: Mail[] = []
  const send = async (mail: Mail) => void mails.push(mail)
  const refuse = () => Promise.reject(new Error('this is not a mail'))
  const runners: Runners = {
    mail: (mail) => deliverMail({ ...services, send }, mail),
    email_code: (change) => deliverEmailCode({ ...services, publicUrl: config.publicUrl, send }, change),
    expert_mail: (asked) => deliverExpertMail({ ...services, publicUrl: config.publicUrl, send }, asked),
    open_drafts: refuse,
    examine: refuse,
    zip: refuse,
    ingest: refuse,
  }
  const kinds: JobKind[] = ['mail', 'email_code', 'expert_mail']
  while (await runNextJob(services.db, runners, { kinds }));
  const left = await services.db.selectFrom('jobs').selectAll().where('kind', 'in', kinds).execute()
  if (left.length > 0) throw new Error(`mails are left: ${JSON.stringify(left)} now ${new Date().toISOString()}`)
  return mails
}
