import { closeSync, openSync, writeSync } from 'node:fs'
import { deflateSync } from 'node:zlib'

/** A PDF that is written object by object, in any order. Object 1 is the catalogue. */
export interface PdfFile {
  object(number: number, ...parts: (Buffer | string)[]): void
  /** Writes an object with compressed content; `entries` are added to its dictionary. */
  stream(number: number, content: Buffer | string, entries?: string): void
  /** Writes the table of objects, which ends the file. Every number up to the highest must have been written. */
  finish(): void
  close(): void
}

export function openPdfFile(target: string): PdfFile {
  const file = openSync(target, 'w', 0o600)
  const offsets: number[] = []
  let at = 0
  const write = (bytes: Buffer | string): void => {
    const buffer = Buffer.from(bytes)
    writeSync(file, buffer)
    at += buffer.length
  }
  const object = (number: number, ...parts: (Buffer | string)[]): void => {
    offsets[number] = at
    for (const part of [`${number} 0 obj\n`, ...parts, '\nendobj\n']) write(part)
  }
  write('%PDF-1.7\n')
  return {
    object,
    stream(number, content, entries = '') {
      const bytes = deflateSync(content)
      object(number, `<<${entries}/Filter/FlateDecode/Length ${bytes.length}>>stream\n`, bytes, '\nendstream')
    },
    finish() {
      const rows = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
      const start = at
      write(`xref\n0 ${offsets.length}\n0000000000 65535 f \n${rows.join('')}`)
      write(`trailer\n<</Size ${offsets.length}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`)
    },
    close: () => closeSync(file),
  }
}
