import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfGone } from './copy-files.ts'

const LINE_FEED = 0x0a

/** Small files as one stream: `<bytes> <path>` on a line, then the bytes. Files that vanish meanwhile are left out. */
export async function* pack(folder: string, paths: readonly string[]): AsyncGenerator<Buffer> {
  for (const path of paths) {
    const bytes = await readFile(join(folder, path)).catch(undefinedIfGone)
    if (!bytes) continue
    yield Buffer.from(`${bytes.length} ${path}\n`)
    yield bytes
  }
}

export interface PackedFile {
  path: string
  bytes: Buffer
}

/** @throws Error if the stream ends early, or a path leads out of the folder */
export async function* unpack(content: AsyncIterable<Buffer>): AsyncGenerator<PackedFile> {
  let rest = Buffer.alloc(0)
  for await (const chunk of content) {
    rest = Buffer.concat([rest, chunk])
    for (let found = first(rest); found; found = first(rest)) {
      yield found.file
      rest = rest.subarray(found.end)
    }
  }
  if (rest.length > 0) throw new Error('The backup is damaged: a pack of files ends early.')
}

function first(bytes: Buffer): { file: PackedFile; end: number } | undefined {
  const line = bytes.indexOf(LINE_FEED)
  if (line === -1) return undefined
  const [, size, path = ''] = /^(\d{1,9}) (.+)$/.exec(bytes.toString('utf8', 0, line)) ?? []
  if (size === undefined) throw new Error('The backup is damaged: a pack of files is none.')
  const end = line + 1 + Number(size)
  return end > bytes.length
    ? undefined
    : { file: { path: requireInside(path), bytes: bytes.subarray(line + 1, end) }, end }
}

export function requireInside(path: string): string {
  const isInside = !path.startsWith('/') && !path.split('/').includes('..')
  if (!isInside) throw new Error(`The backup has a file outside of its folders: ${path.slice(0, 100)}`)
  return path
}
