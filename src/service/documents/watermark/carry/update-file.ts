import { closeSync, openSync, writeSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import type { Dictionary, Entry } from './pdf-values.ts'

/** Writes the input of `qpdf --update-from-json` object by object, so that it is never in memory as a whole. */
export interface UpdateFile {
  /** Replaces an object. */
  set(reference: string, entry: Entry): void
  /** Adds an object, or a stream, which is compressed unless it has a filter. @returns its reference */
  add(dictionary: Dictionary, content?: Buffer): string
  close(): void
}

export interface UpdateOptions {
  path: string
  header: Dictionary
  nextObject: number
}

export function createUpdateFile({ path, header, nextObject }: UpdateOptions): UpdateFile {
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
      const reference = `${next++} 0 R`
      if (!content) {
        set(reference, { value: dictionary })
        return reference
      }
      const isCompressed = '/Filter' in dictionary
      const data = isCompressed ? content : deflateSync(content, { level: 1 })
      const dict = isCompressed ? dictionary : { ...dictionary, '/Filter': '/FlateDecode' }
      set(reference, { stream: { dict, data: data.toString('base64') } })
      return reference
    },
    close() {
      writeSync(file, '}]}')
      closeSync(file)
    },
  }
}
