import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { Dictionary, Entry } from './pdf-structure.ts'

/**
 * Writes what `qpdf --update-from-json` takes, one object at a time: a document of thousands of pages is never in memory.
 * The data of streams are files beside it.
 */
export interface UpdateFile {
  /** Replaces an object. */
  set(reference: string, entry: Entry): void
  /** Adds an object, or a stream, which is compressed unless it has a filter. @returns its reference */
  add(dictionary: Dictionary, content?: Buffer): string
  close(): void
}

export interface UpdateOptions {
  path: string
  /** For the data; `seenAs` is what qpdf calls it. */
  folder: string
  seenAs: string
  header: Dictionary
  /** The first object number that is free. */
  nextObject: number
}

export function createUpdateFile({ path, folder, seenAs, header, nextObject }: UpdateOptions): UpdateFile {
  const file = openSync(path, 'w', 0o600)
  let next = nextObject
  let separator = ''
  writeSync(file, `{"qpdf":[${JSON.stringify(header)},{`)

  function set(reference: string, entry: Entry): void {
    writeSync(file, `${separator}${JSON.stringify(`obj:${reference}`)}:${JSON.stringify(entry)}`)
    separator = ',\n'
  }

  return {
    set,
    add(dictionary, content) {
      const name = `${next++}`
      const reference = `${name} 0 R`
      if (!content) {
        set(reference, { value: dictionary })
        return reference
      }
      const isCompressed = '/Filter' in dictionary
      writeFileSync(join(folder, name), isCompressed ? content : deflateSync(content, { level: 1 }), { mode: 0o600 })
      const dict = isCompressed ? dictionary : { ...dictionary, '/Filter': '/FlateDecode' }
      set(reference, { stream: { dict, datafile: `${seenAs}/${name}` } })
      return reference
    },
    close() {
      writeSync(file, '}]}')
      closeSync(file)
    },
  }
}
