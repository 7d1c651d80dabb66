import { join } from 'node:path'
import { Readable } from 'node:stream'
import pg from 'pg'
import type { BackupStore } from './backup-store.ts'

/**
 * Files that a copy must not have or that the server makes anew (PostgreSQL's documentation, "Backing Up The Data
 * Directory"). The folders themselves stay.
 */
const LEFT_OUT =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/|^postmaster\.(pid|opts)$|^backup_label|^tablespace_map|(^|\/)(pgsql_tmp|pg_internal\.init)/

/**
 * Copies a running cluster by PostgreSQL's low-level API: the files while they change, and the write-ahead log from the
 * beginning of the copy to its end, from which a start makes the state of the end.
 * @returns bytes copied
 */
export async function copyDatabase(
  databaseUrl: string,
  clusterDir: string,
  store: BackupStore,
  to: string,
): Promise<number> {
  // The backup ends with its connection, which stays open during the copy.
  const client = new pg.Client({ connectionString: databaseUrl })
  // A query after a lost connection fails; without a listener the process would end.
  client.on('error', () => {})
  await client.connect()
  try {
    // The slot keeps the log that is needed; it ends with the connection.
    await client.query(`select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`)
    const first = await oneOf<{ file: string }>(
      client,
      `select pg_walfile_name(pg_backup_start('strongroom', fast => true)) as file`,
    )
    const bytes = await store.putFolder(clusterDir, to, (path) => !LEFT_OUT.test(path))
    const end = await oneOf<{ lsn: string; labelfile: string; spcmapfile: string }>(
      client,
      'select lsn, labelfile, spcmapfile from pg_backup_stop(wait_for_archive => false)',
    )
    if (end.spcmapfile.trim()) throw new Error('The database has tablespaces, which are not backed up.')
    const last = await oneOf<{ file: string }>(client, 'select pg_walfile_name($1) as file', [end.lsn])
    await store.putStream(Readable.from([Buffer.from(end.labelfile)]), `${to}/backup_label`)
    return (
      bytes +
      (await copyLog(client, (name) => store.putFile(join(clusterDir, 'pg_wal', name), `${to}/pg_wal/${name}`), [
        first.file,
        last.file,
      ]))
    )
  } finally {
    await client.end()
  }
}

async function copyLog(
  client: pg.Client,
  copy: (name: string) => Promise<{ size: number }>,
  [first, last]: [string, string],
) {
  const { rows } = await client.query<{ name: string }>(
    'select name from pg_ls_waldir() where name between $1 and $2 and length(name) = 24 order by name',
    [first, last],
  )
  if (rows[0]?.name !== first) throw new Error('The write-ahead log of the backup is gone already.')
  let bytes = 0
  for (const { name } of rows) {
    bytes += (await copy(name)).size
  }
  return bytes
}

async function oneOf<Row extends pg.QueryResultRow>(client: pg.Client, text: string, values?: unknown[]): Promise<Row> {
  const { rows } = await client.query<Row>(text, values)
  if (!rows[0]) throw new Error('The database returned no row.')
  return rows[0]
}
