import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FAULTS } from './convert-faults.ts'
import { formatOf } from '../formats.ts'
import { DocumentFault } from '../render/fault.ts'
import { isEncryptedBinary } from '../text/needs-password.ts'
import { isEncryptedOffice, withOfficeContainer } from '../text/office-container.ts'

export interface Prepared {
  name: string
  /** A workbook may be encrypted with a password that every program knows, and is then opened. */
  isEncrypted: boolean
}

/** Copies the document into the folder under a name that LibreOffice recognizes. */
export async function prepareForOffice(source: string, contentType: string, folder: string): Promise<Prepared> {
  const format = formatOf(contentType)
  if (format?.pages !== 'office') throw new Error(`LibreOffice does not read ${contentType}`)
  if (await isEncryptedOffice(source)) throw new DocumentFault(FAULTS.encrypted)
  // LibreOffice would take a container without content for plain text, and show its bytes.
  if (format.parts && !(await hasPart(source, format.parts))) throw new DocumentFault(FAULTS.damaged)
  const name = `source.${format.extensions[0]}`
  await copyFile(source, join(folder, name))
  return { name, isEncrypted: format.detection === 'compound' && (await isEncryptedBinary(source)) }
}

async function hasPart(source: string, prefixes: readonly string[]): Promise<boolean> {
  return withOfficeContainer(source, async ({ names }) =>
    names.some((name) => prefixes.some((prefix) => name.startsWith(prefix))),
  )
}
