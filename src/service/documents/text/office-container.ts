import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { type Entry, openPromise as openZip, type ZipFile } from 'yauzl'
import { readAt, readHead } from './read-head.ts'

/** The parts of an OOXML or ODF file, which is a zip. */
export interface OfficeContainer {
  names: string[]
  /** Returns a part as text: "" if it is missing or unreadable, its beginning if the budget ends within it. */
  read(name: string): Promise<string>
}

/** Bytes of all parts together, packed and inflated; a zip bomb is cut off while it inflates. */
const BUDGET = 96 * 1024 ** 2
/** What the smallest part costs, so that a few thousand parts are read at most, however parts lead to each other. */
const LEAST_SPENT = 32 * 1024
/** A directory entry takes two reads of the file, so that a hostile directory could take minutes. */
const MAX_ENTRIES = 10_000
const DEFLATED = 8
/** Parts are looked up and never extracted, so that an odd name or size makes no other part unreadable. */
const TOLERANT = { autoClose: false, decodeStrings: false, validateEntrySizes: false }

/** Opens the container while `use` runs. A file that is not a zip has no parts. */
export async function withOfficeContainer<T>(
  path: string,
  use: (container: OfficeContainer) => Promise<T>,
): Promise<T> {
  const zip = await openZip(path, TOLERANT).catch(() => undefined)
  try {
    const entries = zip ? await listEntries(zip) : new Map<string, Entry>()
    let budget = BUDGET
    return await use({
      names: [...entries.keys()],
      async read(name) {
        const entry = entries.get(name)
        if (!zip || !entry || budget <= 0) return ''
        const { bytes, spent } = await readWithin(budget, zip, entry)
        budget -= Math.max(spent, LEAST_SPENT)
        return new TextDecoder().decode(bytes)
      },
    })
  } finally {
    zip?.close()
  }
}

/** Returns the entries before a malformed one. */
async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileNameRaw.toString('utf8'), entry)
      if (entries.size === MAX_ENTRIES) break
    }
  } catch {
    // The rest of the directory cannot be read.
  }
  return entries
}

async function readWithin(budget: number, zip: ZipFile, entry: Entry): Promise<{ bytes: Buffer; spent: number }> {
  const packed = Math.min(entry.compressedSize, budget)
  const isDeflated = entry.compressionMethod === DEFLATED
  const left = isDeflated ? budget - packed : budget
  const chunks: Buffer[] = []
  let length = 0
  const collect = async (content: AsyncIterable<Buffer>) => {
    for await (const chunk of content) {
      if (length >= left) return
      chunks.push(chunk)
      length += chunk.length
    }
  }
  try {
    const stored = await zip.openReadStreamPromise(entry, { decodeFileData: false, start: 0, end: packed })
    await (isDeflated ? pipeline(stored, createInflateRaw(), collect) : pipeline(stored, collect))
  } catch {
    // Damaged data yields what precedes the damage.
  }
  const bytes = Buffer.concat(chunks).subarray(0, left)
  return { bytes, spent: packed + bytes.length }
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
