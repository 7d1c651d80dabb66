import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Params } from '../../../contract/sentence.ts'
import type { Installation } from '../../access/scopes.ts'
import { processName } from '../../base/process-name.ts'
import type { Db } from '../../db/pool.ts'
import type { ScanPolicy } from '../documents/scan-policy.ts'

export interface ProcessFacts {
  kind: 'service' | 'worker'
  host: string
  version: string
  node: string
  started_at: string
}

export async function noteProcess(db: Db, facts: ProcessFacts, policy: ScanPolicy | undefined): Promise<void> {
  await sql`with gone as (delete from processes where seen_at < now() - interval '1 day')
    insert into processes (name, kind, host, version, node, started_at, is_scanning, requires_scan)
    values (${processName()}, ${facts.kind}, ${facts.host}, ${facts.version}, ${facts.node}, ${facts.started_at},
      ${policy?.isScanned ?? null}, ${policy?.isRequired ?? null})
    on conflict (name) do update set seen_at = now()`.execute(db)
}

export async function forgetProcess(db: Db): Promise<void> {
  await db.deleteFrom('processes').where('name', '=', processName()).execute()
}

const SHOWN_PROCESSES = 200

export interface SeenProcess extends ProcessFacts {
  seen_at: string
  running: boolean
}

export async function listProcesses({ db }: Installation): Promise<SeenProcess[]> {
  const { rows } = await sql<SeenProcess>`
    select kind, host, version, node, started_at, seen_at, seen_at > now() - interval '3 minutes' as running
    from processes order by running desc, kind, host, started_at limit ${SHOWN_PROCESSES}`.execute(db)
  return rows
}

export interface DatabaseVersions {
  as_of: string
  postgresql: string
  schema: string
}

export async function readVersions({ db }: Installation): Promise<DatabaseVersions | undefined> {
  const { rows } = await sql<DatabaseVersions>`
    select now() as as_of, current_setting('server_version') as postgresql, max(name) as schema
    from migrations`.execute(db)
  return rows[0]
}

type Told = Reply<Api['system']['examine']>

type StoredFinding = Omit<Told['findings'][number], 'advice' | 'code' | 'params'> & {
  advice?: string
  code?: string
  params?: Params
}

export interface StoredExamination {
  requested_at: string
  ended_at: string | null
  findings: StoredFinding[]
  content_files: number | null
  content_bytes: number | null
}

/** Minutes after which an examination that was asked for counts as lost, and another one may begin. */
const LOST_AFTER = 30

const COLUMNS = sql`requested_at, ended_at, findings, content_files, content_bytes`

export async function readExamination({ db }: Installation): Promise<StoredExamination | undefined> {
  return (await sql<StoredExamination>`select ${COLUMNS} from examination`.execute(db)).rows[0]
}

/** @returns undefined if an examination is waiting or running. The findings of the last one stay until it ends. */
export async function requestExamination({ db }: Installation): Promise<StoredExamination | undefined> {
  const { rows } = await sql<StoredExamination>`insert into examination (only_one) values (true)
    on conflict (only_one) do update set requested_at = now(), ended_at = null
    where examination.ended_at is not null
      or examination.requested_at < now() - make_interval(mins => ${LOST_AFTER})
    returning ${COLUMNS}`.execute(db)
  return rows[0]
}

interface Examination {
  findings: readonly StoredFinding[]
  content: Told['content'] | undefined
}

export async function storeExamination(db: Db, { findings, content }: Examination): Promise<void> {
  await sql`update examination set ended_at = now(), findings = ${JSON.stringify(findings)},
    content_files = ${content?.files ?? null}, content_bytes = ${content?.bytes ?? null}`.execute(db)
}
