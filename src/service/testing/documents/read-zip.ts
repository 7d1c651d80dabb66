import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import type { OpenMember } from '../../blobs/integrity.ts'

const run = promisify(execFile)

/** Content in memory, opened as a member of a zip is, from a position on. */
export function memberOf(content: Buffer, start = 0): OpenMember {
  let at = start
  return {
    async read(into) {
      const copied = content.copy(into, 0, at)
      if (copied < into.length) throw new Error('the content has fewer bytes')
      at += copied
    },
    close: async () => {},
  }
}

/** The content of a zip, read by a third-party library; folders have no bytes. */
export function readZip(bytes: Uint8Array): Record<string, string> {
  const decoder = new TextDecoder()
  const entries = Object.entries(unzipSync(bytes))
  return Object.fromEntries(entries.map(([name, content]) => [name, decoder.decode(content)]))
}

const PYTHON = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    names = z.namelist()
    print(json.dumps({"broken": z.testzip(), "count": len(names), "last": names[-1]}))
`

interface Verdict {
  broken: string | null
  count: number
  last: string
}

/** Checks a zip with Python, which verifies every CRC and reads ZIP64. Undefined if Python is not installed. */
export async function checkWithPython(path: string): Promise<Verdict | undefined> {
  try {
    return JSON.parse((await run('python3', ['-c', PYTHON, path])).stdout) as Verdict
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export const checkBytesWithPython = (bytes: Uint8Array): Promise<Verdict | undefined> =>
  withFile(bytes, (path) => checkWithPython(path))

/** Extracts a zip with Python. @returns the contents of all files, or undefined if Python is not installed */
export const extractWithPython = (bytes: Uint8Array): Promise<string[] | undefined> =>
  withFile(bytes, async (path) => {
    if ((await checkWithPython(path)) === undefined) return undefined
    const target = `${path}.out`
    await run('python3', ['-m', 'zipfile', '-e', path, target])
    const found = await readdir(target, { recursive: true, withFileTypes: true })
    const files = found.filter((entry) => entry.isFile())
    return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))
  })

async function withFile<Result>(bytes: Uint8Array, use: (path: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-zip-'))
  try {
    await writeFile(join(folder, 'a.zip'), bytes)
    return await use(join(folder, 'a.zip'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
