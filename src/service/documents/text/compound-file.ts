/**
 * Checks the structure of compound files (MS-CFB), which readers of Outlook messages follow without checks of their own:
 * they never end on a chain of sectors with a cycle, and read shared sectors once for each stream that names them.
 */

const MAGIC = 'd0cf11e0a1b11ae1'
const HEADER_BYTES = 512
const ENTRY_BYTES = 128
const MINI_SECTOR_BYTES = 64
/** Smaller streams are in mini sectors. */
const MINI_LIMIT = 4096
const END_OF_CHAIN = -2
const NO_ENTRY = -1
/** Numbers of sectors of the allocation table that the header has room for. */
const HEADER_SECTORS = 109
/** Storages within storages: a message has three for each message attached within another. */
const MAX_DEPTH = 60

export const isCompound = (bytes: Buffer): boolean => bytes.toString('hex', 0, 8) === MAGIC

/**
 * Whether every chain of sectors ends within the file, no sector belongs to two chains, every stream is as long as its
 * chain allows, and the directory is a tree. Takes time linear in the length of the file.
 */
export const isSoundCompound = (bytes: Buffer): boolean => readStreams(bytes) !== undefined

/** Bytes that are returned of each stream. */
const MAX_STREAM = 64 * 1024

/** Returns the beginnings of the streams that lie in no storage, by their names; undefined if the file is not sound. */
export function readStreams(bytes: Buffer): Map<string, Buffer> | undefined {
  if (!isCompound(bytes) || bytes.length < HEADER_BYTES) return undefined
  const shift = bytes.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) return undefined
  const file = createSectors(bytes, 1 << shift)
  const table = file && readTable(file)
  if (!table) return undefined
  const main = createChains(file.count, (sector) => table[sector])
  const directory = main.follow(bytes.readInt32LE(48))
  const miniTable = main.follow(bytes.readInt32LE(60))
  if (!directory || !miniTable) return undefined
  const entries = directory.flatMap((sector) => readEntries(file.read(sector)))
  const root = entries[0]
  const miniStream = root && main.follow(root.start)
  if (!miniStream) return undefined
  const miniNumbers = miniTable.flatMap((sector) => numbersIn(file.read(sector)))
  const miniCount = Math.min(miniNumbers.length, Math.floor((miniStream.length << shift) / MINI_SECTOR_BYTES))
  const mini = createChains(miniCount, (sector) => miniNumbers[sector])
  const readMini = (sector: number) => {
    const at = sector * MINI_SECTOR_BYTES
    return file
      .read(miniStream[at >> shift] ?? 0)
      .subarray(at % (1 << shift))
      .subarray(0, MINI_SECTOR_BYTES)
  }
  const streams = new Map<string, Buffer>()
  const isSound = isTreeOf(entries, ({ name, start, size }, depth) => {
    if (size < 0) return false
    const isMini = size < MINI_LIMIT
    const bytesOf = isMini ? MINI_SECTOR_BYTES : 1 << shift
    const chain = size === 0 ? [] : (isMini ? mini : main).follow(start)
    if (chain === undefined || chain.length * bytesOf < size) return false
    const read = chain.slice(0, MAX_STREAM / bytesOf).map(isMini ? readMini : file.read)
    if (depth === 0) streams.set(name, Buffer.concat(read).subarray(0, size))
    return true
  })
  return isSound ? streams : undefined
}

interface Sectors {
  bytes: Buffer
  size: number
  count: number
  read(sector: number): Buffer
}

function createSectors(bytes: Buffer, size: number): Sectors {
  const count = Math.max(0, Math.ceil(bytes.length / size) - 1)
  return { bytes, size, count, read: (sector) => bytes.subarray((sector + 1) * size, (sector + 2) * size) }
}

function numbersIn(sector: Buffer): number[] {
  return Array.from({ length: sector.length >> 2 }, (_, at) => sector.readInt32LE(at * 4))
}

/** Returns the number of the next sector for each sector; undefined if the table is not within the file. */
function readTable({ bytes, size, count, read }: Sectors): number[] | undefined {
  const sectors = bytes.readInt32LE(44)
  const extensions = bytes.readInt32LE(72)
  if (sectors < 0 || sectors > count || extensions < 0 || extensions > count) return undefined
  const numbers = Array.from({ length: Math.min(sectors, HEADER_SECTORS) }, (_, at) => bytes.readInt32LE(76 + at * 4))
  let extension = bytes.readInt32LE(68)
  for (let at = 0; at < extensions; at++) {
    if (extension < 0 || extension >= count) return undefined
    const more = numbersIn(read(extension))
    extension = more[(size >> 2) - 1] ?? END_OF_CHAIN
    numbers.push(...more.slice(0, Math.max(0, Math.min((size >> 2) - 1, sectors - numbers.length))))
  }
  if (numbers.some((sector) => sector < 0 || sector >= count)) return undefined
  if (new Set(numbers).size !== numbers.length) return undefined
  return numbers.flatMap((sector) => numbersIn(read(sector)))
}

interface Chains {
  /** Returns the sectors of a chain; undefined if it leaves the file, or meets a sector of any chain followed before. */
  follow(start: number): number[] | undefined
}

function createChains(count: number, next: (sector: number) => number | undefined): Chains {
  const seen = new Uint8Array(count)
  return {
    follow(start) {
      const chain: number[] = []
      for (let sector = start; sector !== END_OF_CHAIN; sector = next(sector) ?? END_OF_CHAIN) {
        if (sector < 0 || sector >= count || seen[sector] === 1) return undefined
        seen[sector] = 1
        chain.push(sector)
      }
      return chain
    },
  }
}

interface Entry {
  name: string
  type: number
  left: number
  right: number
  child: number
  start: number
  size: number
}

const TYPES = { storage: 1, stream: 2 }

function readEntries(sector: Buffer): Entry[] {
  return Array.from({ length: Math.floor(sector.length / ENTRY_BYTES) }, (_, index) => {
    const at = index * ENTRY_BYTES
    return {
      name: sector.toString('utf16le', at, at + Math.min(64, Math.max(0, sector.readUInt16LE(at + 64) - 2))),
      type: sector.readUInt8(at + 66),
      left: sector.readInt32LE(at + 68),
      right: sector.readInt32LE(at + 72),
      child: sector.readInt32LE(at + 76),
      start: sector.readInt32LE(at + 116),
      size: sector.readInt32LE(at + 120),
    }
  })
}

/** Whether every entry below the root is reached once, and every stream passes the check. */
function isTreeOf(entries: readonly Entry[], isSoundStream: (stream: Entry, depth: number) => boolean): boolean {
  const seen = new Uint8Array(entries.length)
  const open = [{ index: entries[0]?.child ?? NO_ENTRY, depth: 0 }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { index, depth } = place
    if (index === NO_ENTRY) continue
    const entry = entries[index]
    if (entry === undefined || seen[index] === 1 || depth > MAX_DEPTH) return false
    seen[index] = 1
    if (entry.type === TYPES.stream && !isSoundStream(entry, depth)) return false
    open.push({ index: entry.left, depth }, { index: entry.right, depth })
    if (entry.type === TYPES.storage) open.push({ index: entry.child, depth: depth + 1 })
  }
  return true
}
