import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'

export async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Runs PostgreSQL from a separate process and kills that process with SIGKILL: the server stays behind. */
export async function leaveServerBehind(dataDir: string): Promise<string> {
  const holder = spawn(process.execPath, [join(import.meta.dirname, 'hold-postgres.ts'), dataDir])
  const [url] = await once(holder.stdout.setEncoding('utf8'), 'data')
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  return (url as string).trim()
}

export const pidOf = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
