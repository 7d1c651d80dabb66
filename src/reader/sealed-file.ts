import { fromBase64 } from './codec.ts'
import { openPart } from './crypto.ts'

/** What a file says before it is opened. */
export interface Envelope {
  format: string
  version: number
  copy_id: string
  workspace_id: number
  /** Origin that releases the key. */
  service: string
}

/** What is known once it is open. */
export interface Facts {
  title: string
  /** Whom it was made for. */
  reader: string
  workspace: string
  /** ISO 8601. */
  created_at: string
  /** Pixels of each page. */
  pages: { width: number; height: number }[]
}

/** Base64 of a part as it stands in the file; undefined where it is missing. */
export type ReadPart = (part: number) => string | undefined

export interface SealedFile {
  facts: Facts
  /** JPEG of a page, counted from 1. @throws Error where it is missing or not as it was sealed */
  page(number: number): Promise<Blob>
}

/** @throws Error where the key is not the copy's, or the file was changed */
export async function openFile({ copy_id }: Envelope, read: ReadPart, key: CryptoKey): Promise<SealedFile> {
  const open = async (part: number) => {
    const sealed = read(part)
    if (sealed === undefined) throw new Error('This part of the file is missing.')
    return openPart(key, copy_id, part, fromBase64(sealed))
  }
  const facts = JSON.parse(new TextDecoder().decode(await open(0))) as Facts
  return { facts, page: async (number) => new Blob([await open(number)], { type: 'image/jpeg' }) }
}
