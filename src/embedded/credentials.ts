import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const stored = z.object({
  apiKey: z.string().optional(),
  apiSecret: z.string().optional(),
  adminToken: z.string().optional(),
  masterKey: z.string().optional(),
})

export interface Secrets {
  /** Key pair and first admin of the first organization. */
  apiKey: string
  apiSecret: string
  adminToken: string
  masterKey: string
}

/**
 * Returns the first organization's keys and the master key, from the environment or as generated at the first start.
 * @throws Error when the file cannot be read: with new keys, data sealed with the old keys would be lost
 */
export async function openCredentials(dataDir: string, given: Partial<Secrets>): Promise<Secrets> {
  const file = join(dataDir, 'credentials.json')
  const kept = await read(file)
  const all = { ...generate(), ...kept, ...given }
  const worthKeeping = Object.fromEntries(Object.entries(all).filter(([name]) => !(name in given)))
  const missing = Object.keys(worthKeeping).some((name) => !(name in kept))
  if (missing) await write(dataDir, file, { ...kept, ...worthKeeping })
  return all
}

export async function readCredentials(dataDir: string, given: Partial<Secrets>): Promise<Partial<Secrets>> {
  return { ...(await read(join(dataDir, 'credentials.json'))), ...given }
}

function generate(): Secrets {
  const hex = (length: number) => randomBytes(length / 2).toString('hex')
  return { apiKey: hex(40), apiSecret: hex(64), adminToken: hex(40), masterKey: hex(64) }
}

async function read(file: string): Promise<Partial<Secrets>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    return definedOf(stored.parse(JSON.parse(text)))
  } catch {
    throw new Error(
      `${file} is damaged. Restore it from a backup: it holds the keys of everything in this data folder.`,
    )
  }
}

const definedOf = (values: z.output<typeof stored>): Partial<Secrets> => JSON.parse(JSON.stringify(values))

async function write(dataDir: string, file: string, content: Partial<Secrets>): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const draft = `${file}.part`
  const handle = await open(draft, 'w', 0o600)
  await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`)
  await handle.sync()
  await handle.close()
  await rename(draft, file)
}
