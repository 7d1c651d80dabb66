import { stat } from 'node:fs/promises'
import { readStreams } from './compound-file.ts'
import { readHead } from './read-head.ts'

/** Larger files are not asked. */
const MAX_BYTES = 128 * 1024 ** 2

/** Whether a Word, Excel or PowerPoint file of the formats of 97–2003 is encrypted. */
export async function isEncryptedBinary(path: string): Promise<boolean> {
  if ((await stat(path)).size > MAX_BYTES) return false
  const streams = readStreams(await readHead(path, MAX_BYTES))
  if (streams === undefined) return false
  const [word, user] = [streams.get('WordDocument'), streams.get('Current User')]
  const workbook = streams.get('Workbook') ?? streams.get('Book')
  return isLockedText(word) || isLockedWorkbook(workbook) || isLockedShow(user) || streams.has('EncryptedSummary')
}

/** The flag fEncrypted of the FIB, the header of a Word document. */
const isLockedText = (word: Buffer | undefined): boolean =>
  word !== undefined && word.length >= 12 && (word.readUInt16LE(10) & 0x0100) !== 0

const [FILE_PASS, END_OF_PART] = [0x2f, 0x0a]

function isLockedWorkbook(workbook: Buffer | undefined): boolean {
  if (workbook === undefined) return false
  for (let at = 0; at + 4 <= workbook.length;) {
    const record = workbook.readUInt16LE(at)
    if (record === FILE_PASS) return true
    if (record === END_OF_PART) return false
    at += 4 + workbook.readUInt16LE(at + 2)
  }
  return false
}

const ENCRYPTED_SHOW = 0xf3d1c4df

const isLockedShow = (user: Buffer | undefined): boolean =>
  user !== undefined && user.length >= 16 && user.readUInt32LE(12) === ENCRYPTED_SHOW
