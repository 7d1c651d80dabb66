import { fromBase64 } from './codec.ts'
import { openPart } from './crypto.ts'

/** The unencrypted data of a sealed copy. */
export interface Envelope {
  format: string
  version: number
  copy_id: string
  workspace_id: number
  /** Origin that releases the key. */
  service: string
}

/** The encrypted data about a sealed copy. */
export interface Facts {
  title: string
  /** The user for whom the copy was made. */
  reader: string
  workspace: string
  /** ISO 8601. */
  created_at: string
  /** Size of each page in pixels. */
  pages: { width: number; height: number }[]
}

/** Returns the base64 of a part in the file; undefined if the part is missing. */
export type ReadPart = (part: number) => string | undefined

export interface SealedFile {
  facts: Facts
  /** Returns the image of a page, counted from 1. @throws Error if the page is missing or was changed */
  page(number: number): Promise<Blob>
}

/** @throws Error if the key is not that of the copy, or the file was changed */
export async function openFile({ copy_id }: Envelope, read: ReadPart, key: CryptoKey): Promise<SealedFile> {
  const open = async (part: number) => {
    const sealed = read(part)
    if (sealed === undefined) throw new Error('This part of the file is missing.')
    return openPart(key, copy_id, part, fromBase64(sealed))
  }
  const facts = JSON.parse(new TextDecoder().decode(await open(0))) as Facts
  return { facts, page: async (number) => new Blob([await open(number)], { type: 'image/webp' }) }
}
