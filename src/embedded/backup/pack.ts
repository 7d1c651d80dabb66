import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfGone } from './copy-files.ts'

const LINE_FEED = 0x0a

/**
 * Small files as one stream: `<bytes> <path>` on a line, then the bytes. Files that were removed are left out. Files
 * that have grown end at the limit: the write-ahead log has what the database appended.
 */
export async function* pack(folder: string, paths: readonly string[], limit: number): AsyncGenerator<Buffer> {
  for (const path of paths) {
    const bytes = await readStart(join(folder, path), limit).catch(undefinedIfGone)
    if (!bytes) continue
    yield Buffer.from(`${bytes.length} ${path}\n`)
    yield bytes
  }
}

async function readStart(path: string, limit: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const bytes = Buffer.allocUnsafe(limit)
    let filled = 0
    for (let read = -1; read !== 0 && filled < limit; filled += read)
      read = (await file.read(bytes, filled, limit - filled)).bytesRead
    return bytes.subarray(0, filled)
  } finally {
    await file.close()
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
  if (size === undefined) throw new Error('The backup is damaged: what should be a pack of files is something else.')
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
