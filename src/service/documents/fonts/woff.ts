import { inflateSync } from 'node:zlib'

const HEADER = 44
const ENTRY = 20

/** Unpacks the OpenType font from a WOFF 1.0 file. Each table may or may not be deflated. */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file')
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(12 + count * 16)
  head.writeUInt32BE(woff.readUInt32BE(4), 0)
  head.writeUInt16BE(count, 4)
  const tables: Buffer[] = []
  let at = head.length
  for (let index = 0; index < count; index++) {
    const entry = woff.subarray(HEADER + index * ENTRY, HEADER + (index + 1) * ENTRY)
    const table = unpackTable(woff, entry)
    const place = 12 + index * 16
    entry.copy(head, place, 0, 4)
    head.writeUInt32BE(entry.readUInt32BE(16), place + 4)
    head.writeUInt32BE(at, place + 8)
    head.writeUInt32BE(table.length, place + 12)
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)])
    tables.push(padded)
    at += padded.length
  }
  return Buffer.concat([head, ...tables])
}

function unpackTable(woff: Buffer, entry: Buffer): Buffer {
  const [offset, packed, length] = [entry.readUInt32BE(4), entry.readUInt32BE(8), entry.readUInt32BE(12)]
  const bytes = woff.subarray(offset, offset + packed)
  return packed < length ? inflateSync(bytes) : Buffer.from(bytes)
}
