import type { Config } from '../config.ts'
import { buildDownload } from '../documents/build-download.ts'
import { giveUp } from '../documents/give-up.ts'
import { ingest } from '../documents/ingest.ts'
import { openDocuments } from '../documents/open-documents.ts'
import { openRenderer } from '../documents/render.ts'
import { type Runners, runNextJob } from '../jobs/run.ts'
import type { TestService } from './start-service.ts'

/** Makes the downloads that are due, as the worker would; mails go nowhere. */
export async function runJobs({ services }: TestService): Promise<void> {
  const runners: Runners = {
    mail: async () => {},
    zip: (key) => buildDownload(services, key),
    ingest: () => Promise.reject(new Error('documents are read by readDocuments')),
  }
  while (await runNextJob(services.db, runners, { kinds: ['mail', 'zip'] }));
}

/** One for all tests of a file: its processes are started once, and end with the file, or when they are idle. */
const renderer = openRenderer()

/** Reads the documents that are due, as the worker would. */
export async function readDocuments({ services, config }: TestService, overrides: Partial<Config> = {}): Promise<void> {
  const { db } = services
  const documents = openDocuments({ ...config, ...overrides }, { ...services, renderer })
  const nothing = async () => {}
  const runners: Runners = { mail: nothing, zip: nothing, ingest: (key) => ingest(documents, key) }
  while (await runNextJob(db, runners, { kinds: ['ingest'], whenParked: giveUp(db) }));
}
