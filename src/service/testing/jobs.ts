import { buildDownload } from '../documents/build-download.ts'
import { runNextJob } from '../jobs/run.ts'
import type { TestService } from './start-service.ts'

/** Does what is due, as the worker would; mails go nowhere. */
export async function runJobs({ services }: TestService): Promise<void> {
  const runners = {
    mail: async () => {},
    zip: (key: { workspace_id: number; download_id: number }) => buildDownload(services, key),
    ingest: async () => {},
  }
  while (await runNextJob(services.db, runners));
}
