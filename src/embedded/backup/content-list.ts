import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'

/** A blob as it was copied. */
export interface CopiedBlob {
  /** Bytes. */
  size: number
  /** 64 hex characters. */
  sha256: string
}

export type ContentList = Map<string, CopiedBlob>

const LINE = /^([0-9a-f]{32}) (\d{1,16}) ([0-9a-f]{64})$/

/** Reads lines `<id> <bytes> <sha256>`. @throws Error for any other line */
export async function readContentList(file: string): Promise<ContentList> {
  const list: ContentList = new Map()
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [, id, size, sha256] = LINE.exec(line) ?? []
    if (!id || !size || !sha256) throw new Error(`${file} is damaged: it has the line "${line.slice(0, 60)}".`)
    list.set(id, { size: Number(size), sha256 })
  }
  return list
}

const BATCH = 10_000

export async function writeContentList(file: string, list: ContentList): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    let lines: string[] = []
    for (const [id, { size, sha256 }] of list) {
      lines.push(`${id} ${size} ${sha256}\n`)
      if (lines.length === BATCH) await handle.write(lines.splice(0).join(''))
    }
    await handle.write(lines.join(''))
    await handle.sync()
  } finally {
    await handle.close()
  }
}
