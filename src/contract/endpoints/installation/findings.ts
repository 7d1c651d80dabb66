import type { FINDING_CHECKS } from './system.ts'

type Check = (typeof FINDING_CHECKS)[number]

const row =
  <State extends 'ok' | 'warning' | 'error'>(state: State) =>
  <Message extends string>(check: Check, message: Message, advice?: string) => ({ check, state, message, advice })
const ok = row('ok')
const warning = row('warning')
const error = row('error')

const OTHER_CONTENT = 'Mount the volume, or name the bucket, that holds the content of this database, or restore it.'
const COPY_FILES = 'Copy these files from a backup of the content, below blobs/<first two characters>/<next two>/.'
const TRAIL =
  'Compare MASTER_KEY with the one of this installation. If it is right, keep the database as it is as evidence, and compare the trail with earlier exports (npm run audit:verify).'
const NO_LIMIT = 'Run npm run doctor, which has no limit.'

/**
 * What an examination finds, and what to do about it. The dashboard says it too. Facts that are named like a thing
 * (`files`) are its count, and `size`, `free` and `total` are bytes.
 */
export const FINDINGS = {
  database_away: error(
    'database',
    'The database does not answer: {reason}',
    'Start the database, and compare DATABASE_URL with its address, account and password.',
  ),
  postgresql_old: error('database', 'PostgreSQL {version} is too old.', 'Upgrade it to PostgreSQL 15 or newer.'),
  database_replica: error(
    'database',
    'The database is a replica, which takes no writes.',
    'Name the primary in DATABASE_URL.',
  ),
  postgresql_answers: ok('database', 'PostgreSQL {version} answers.'),
  settings_missing: warning(
    'database',
    'Connections to the database lack settings: {names}.',
    'PgBouncer omits them: make them for the account (ALTER ROLE … SET …).',
  ),
  clock_ahead: warning(
    'database',
    'The clock of the database is {seconds} ahead of that of this machine.',
    'Let both machines set their clocks by NTP.',
  ),
  clock_behind: warning(
    'database',
    'The clock of the database is {seconds} behind that of this machine.',
    'Let both machines set their clocks by NTP.',
  ),
  schema_newer: error(
    'database',
    'The schema is newer than this release: it has {names}.',
    'Run the release that migrated this database, or a newer one.',
  ),
  schema_older: error(
    'database',
    'The schema lacks {migrations}, from {first} on.',
    'Start the service: it migrates the database.',
  ),
  schema_current: ok('database', 'The schema is the one of this release.'),
  replica_follows: ok('database', 'The replica answers, and has every change.'),
  replica_behind: warning(
    'database',
    'The replica is {seconds} behind. The primary does its work.',
    'Look for a long statement on the replica, for a slow network, and whether replay is paused (pg_wal_replay_resume).',
  ),
  replica_foreign: warning(
    'database',
    'DATABASE_REPLICA_URL leads to no replica of this database. The primary does its work.',
    'Name a streaming replica of the present primary.',
  ),
  replica_away: warning(
    'database',
    'The replica does not answer: {reason}. The primary does its work.',
    'Start the replica, and compare DATABASE_REPLICA_URL with its address, account and password.',
  ),

  storage_away: error(
    'content',
    'The content store does not answer as it should: {reason}.',
    'Check BLOB_URL, the AWS credentials, the rights on the bucket, and the network.',
  ),
  no_content: ok('content', 'There is no content yet.'),
  content_elsewhere: error('content', 'The content is not here: it lacks the file storage-id.', OTHER_CONTENT),
  content_foreign: error(
    'content',
    'The content here belongs to another database: its storage-id differs.',
    OTHER_CONTENT,
  ),
  space_enough: ok('content', '{free} of {total} are free.'),
  space_low: warning(
    'content',
    'Only {free} of {total} are free.',
    'Enlarge the file system, or empty the trash of large workspaces.',
  ),
  content_missing: error('content', 'Content is missing ({files}): {ids}.', COPY_FILES),
  content_short: error('content', 'Content has another size ({files}): {ids}.', COPY_FILES),
  content_complete: ok('content', 'The content is complete: {files} in full length.'),
  content_damaged: error(
    'content',
    'The content of {documents} was found damaged.',
    'Restore it from a backup. The activities of the workspaces name the files.',
  ),
  content_unreferenced: warning(
    'content',
    'Nothing references {files} of the content ({size}).',
    'Let a worker run: it removes such content.',
  ),

  jobs_failed: warning(
    'queue',
    '{jobs} of kind {kind} failed in every attempt.',
    'Read the column error of their rows in the table jobs. Jobs run again with attempts = 0 and parked_at = null.',
  ),
  job_overdue: warning(
    'queue',
    'A job of kind {kind} has been due for {minutes}.',
    'Start a worker that runs this kind (WORKER_KINDS), or more of them if the queue keeps growing.',
  ),
  chain_late: warning(
    'queue',
    'Entries of the audit trail have waited for {minutes} to be chained.',
    'Start a worker. If one runs, its log says what stops it.',
  ),
  queue_in_time: ok('queue', '{jobs} waiting, none of them late.'),

  workspace_trail_altered: error('audit', 'The trail of workspace {id} is not as it was written. {reason}', TRAIL),
  organization_trail_altered: error(
    'audit',
    'The trail of organization {id} is not as it was written. {reason}',
    TRAIL,
  ),
  trails_verified: ok('audit', 'Verified {trails} with {records}, which are as they were written.'),

  mail_outbox: warning('mail', 'Mails are written to the folder outbox instead of being sent.', 'Set SMTP_URL.'),
  mail_accepted: ok('mail', 'The mail server accepts the connection and the account.'),
  mail_refused: error(
    'mail',
    'The mail server does not accept mails: {reason}',
    'Compare SMTP_URL with its address, account and password.',
  ),

  scanner_off: ok(
    'scanner',
    'Files are not scanned for malware: CLAMD_URL is not set.',
    'Run ClamAV, and set CLAMD_URL to its address (deploy/README.md).',
  ),
  scanner_answers: ok('scanner', 'ClamAV answers.'),
  scanner_foreign: error(
    'scanner',
    'ClamAV does not answer: it is no ClamAV.',
    'Start clamd, and compare CLAMD_URL with its address.',
  ),
  scanner_away: error(
    'scanner',
    'ClamAV does not answer: {reason}.',
    'Start clamd, and compare CLAMD_URL with its address.',
  ),
  scanner_differs: warning(
    'scanner',
    'Some processes scan for malware, and these do not: {names}.',
    'Give all services, and all workers that convert, the same CLAMD_URL and SCAN_REQUIRED.',
  ),
  scan_requirement_differs: warning(
    'scanner',
    'Some processes withhold files until they are scanned, and these do not: {names}.',
    'Give all services, and all workers that convert, the same CLAMD_URL and SCAN_REQUIRED.',
  ),
  terms_unscanned: warning(
    'scanner',
    'PDFs of terms have waited for their scan for {minutes} ({files}).',
    'Start a worker that converts (WORKER_KINDS) and has CLAMD_URL. If one runs, look whether ClamAV answers.',
  ),
  terms_unscannable: warning(
    'scanner',
    'PDFs of terms that are drafted or in force are too large or too deep for ClamAV ({files}), in the workspaces {ids}.',
    'Raise the limits of clamd and CLAMD_MAX_BYTES, and restart a worker that converts: it tries them again.',
  ),
  terms_infected: warning(
    'scanner',
    'Malware was found in PDFs of terms that are drafted or in force ({files}), in the workspaces {ids}.',
    'Their workspace admins know it by mail. They must issue other terms or withdraw these: nobody can accept them.',
  ),

  office_converted: ok('converter', 'Office documents are converted.'),
  office_unconverted: warning('converter', 'Office documents are not shown. {obstacle}', 'See deploy/documents.md.'),

  backup_none: ok(
    'backup',
    'No backup by npm run backup is recorded.',
    'Make one each day, unless other tools back up the database and the content (deploy/backup.md).',
  ),
  backup_recent: ok('backup', 'The newest backup is younger than {days}.'),
  backup_old: warning(
    'backup',
    'No backup that succeeded is younger than {days}.',
    'Look why npm run backup fails or does not run (deploy/backup.md).',
  ),
  backup_failed: warning(
    'backup',
    'The newest backup failed: {reason}',
    'Mend this, and back up again (deploy/backup.md).',
  ),

  examination_late: warning('node', 'The examination did not end within {minutes}.', NO_LIMIT),
  examination_failed: warning('node', 'The examination ended early: {reason}', NO_LIMIT),
  examination_ended: warning('node', 'The examination ended early.', NO_LIMIT),
} as const

export type FindingCode = keyof typeof FINDINGS

export const isFindingCode = (name: string | null): name is FindingCode =>
  name !== null && Object.hasOwn(FINDINGS, name)
