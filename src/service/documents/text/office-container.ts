import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { Readable } from 'node:stream'
import { readAt, readHead } from './read-head.ts'

type File = Awaited<ReturnType<typeof open>>

interface Entry {
  method: number
  packedSize: number
  headerAt: number
}

/** The parts of an OOXML or ODF file, which is a zip. */
export interface OfficeContainer {
  names: string[]
  /** Returns a part as text: "" if it is missing or unreadable, its beginning if the budget ends within it. */
  read(name: string): Promise<string>
}

/** Bytes of all parts together, packed and inflated; a zip bomb is cut off while it inflates. */
const BUDGET = 96 * 1024 ** 2
/** A zip ends with the end record of its directory, after which there may be at most a comment. */
const TAIL_BYTES = 65_557
const MAX_DIRECTORY_BYTES = 8 * 1024 ** 2
const SIGNATURE = { directoryEnd: 0x06054b50, directoryEntry: 0x02014b50, localEntry: 0x04034b50 }
const DEFLATED = 8

/** Opens the container while `use` runs. A file that is not a zip has no parts. */
export async function withOfficeContainer<T>(
  path: string,
  use: (container: OfficeContainer) => Promise<T>,
): Promise<T> {
  const file = await open(path)
  try {
    const entries = await readDirectory(file)
    let budget = BUDGET
    return await use({
      names: [...entries.keys()],
      async read(name) {
        const entry = entries.get(name)
        if (entry === undefined || budget <= 0) return ''
        const packed = await readPacked(file, entry, budget)
        budget -= packed.length
        const bytes = entry.method === DEFLATED ? await inflate(packed, budget) : packed
        budget -= bytes.length
        return new TextDecoder().decode(bytes)
      },
    })
  } finally {
    await file.close()
  }
}

async function readDirectory(file: File): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  const { size } = await file.stat()
  const tail = await readAt(file, Math.max(0, size - TAIL_BYTES), Math.min(size, TAIL_BYTES))
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || end + 22 > tail.length) return entries
  const length = Math.min(tail.readUInt32LE(end + 12), MAX_DIRECTORY_BYTES)
  const directory = await readAt(file, tail.readUInt32LE(end + 16), length)
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === SIGNATURE.directoryEntry;) {
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28)
    entries.set(directory.toString('utf8', at + 46, nameEnd), {
      method: directory.readUInt16LE(at + 10),
      packedSize: directory.readUInt32LE(at + 20),
      headerAt: directory.readUInt32LE(at + 42),
    })
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return entries
}

async function readPacked(file: File, { packedSize, headerAt }: Entry, budget: number): Promise<Buffer> {
  const header = await readAt(file, headerAt, 30)
  if (header.length < 30 || header.readUInt32LE(0) !== SIGNATURE.localEntry) return Buffer.alloc(0)
  const start = headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const { size } = await file.stat()
  return readAt(file, start, Math.max(0, Math.min(packedSize, budget, size - start)))
}

async function inflate(packed: Buffer, budget: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  await pipeline(Readable.from([packed], { objectMode: false }), createInflateRaw(), async (inflated) => {
    for await (const chunk of inflated as AsyncIterable<Buffer>) {
      if (length >= budget) return
      chunks.push(chunk)
      length += chunk.length
    }
    // Data damaged in the middle yields what precedes the damage.
  }).catch(() => {})
  return Buffer.concat(chunks).subarray(0, Math.max(0, budget))
}

/** Whether an OOXML or ODF file is encrypted, that is, needs a password. */
export async function isEncryptedOffice(path: string): Promise<boolean> {
  const head = await readHead(path, 512)
  if (head.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1') return hasEncryptedPackage(path, head)
  return withOfficeContainer(path, async ({ read }) =>
    (await read('META-INF/manifest.xml')).includes(':encryption-data'),
  )
}

/** Encrypted OOXML is a compound file whose directory names an EncryptedPackage. */
async function hasEncryptedPackage(path: string, head: Buffer): Promise<boolean> {
  if (head.length < 512) return false
  const sectorBytes = 1 << (head.readUInt16LE(30) & 15)
  const file = await open(path)
  try {
    const directory = await readAt(file, (head.readUInt32LE(48) + 1) * sectorBytes, 4096)
    return directory.includes(Buffer.from('EncryptedPackage', 'utf16le'))
  } finally {
    await file.close()
  }
}
