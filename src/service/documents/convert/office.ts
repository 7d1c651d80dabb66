import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FAULTS } from './convert-faults.ts'
import { type Format, formatOf, type OfficeWay } from '../formats.ts'
import { DocumentFault } from '../render/fault.ts'
import { isEncryptedOffice, withOfficeContainer } from '../text/office-container.ts'
import { isCompound } from '../text/compound-file.ts'
import { decodeHtml, decodeText } from '../text/decode.ts'
import { MAX_MAIL_BYTES, readMail } from '../text/mail.ts'
import { mailPage, MAX_BODY } from '../text/mail-page.ts'
import { readPlainText } from '../text/plain.ts'
import { readHead } from '../text/read-head.ts'

export interface OfficeInput {
  name: string
  /** LibreOffice's name of the import filter, set if LibreOffice might guess wrong. */
  filter?: string
}

/** Ways to prepare a file for LibreOffice, in a folder of its own. */
const PREPARE: Record<OfficeWay, (source: string, format: Format, folder: string) => Promise<OfficeInput>> = {
  office: prepareOffice,
  plain: preparePlain,
  table: prepareTable,
  html: prepareHtml,
  mail: prepareMail,
}

/** Copies the document into the folder, or what its pages are made of, under a name that LibreOffice recognizes. */
export async function prepareForOffice(source: string, contentType: string, folder: string): Promise<OfficeInput> {
  const format = formatOf(contentType)
  if (!format || !isOfficeWay(format.pages)) throw new Error(`LibreOffice does not read ${contentType}`)
  return PREPARE[format.pages](source, format, folder)
}

const isOfficeWay = (way: string): way is OfficeWay => way in PREPARE

async function prepareOffice(source: string, format: Format, folder: string): Promise<OfficeInput> {
  if (await isEncryptedOffice(source)) throw new DocumentFault(FAULTS.encrypted)
  // LibreOffice would take a container without content for plain text, and show its bytes.
  if (format.parts && !(await hasPart(source, format.parts))) throw new DocumentFault(FAULTS.damaged)
  const name = `source.${format.extensions[0]}`
  await copyFile(source, join(folder, name))
  return { name }
}

async function hasPart(source: string, prefixes: readonly string[]): Promise<boolean> {
  return withOfficeContainer(source, async ({ names }) =>
    names.some((name) => prefixes.some((prefix) => name.startsWith(prefix))),
  )
}

/** A few thousand pages; a longer log is not useful as pages. */
const MAX_TEXT_BYTES = 5 * 1024 ** 2

async function requireTextSize(source: string): Promise<void> {
  if ((await stat(source)).size > MAX_TEXT_BYTES) throw new DocumentFault(FAULTS.size)
}

/** Writes the text as UTF-8, whatever its original encoding. */
async function preparePlain(source: string, { type }: Format, folder: string): Promise<OfficeInput> {
  await requireTextSize(source)
  return prepareWritten(await readPlainText(source, type, MAX_TEXT_BYTES), folder)
}

async function prepareWritten(text: string, folder: string): Promise<OfficeInput> {
  if (text.length > MAX_TEXT_BYTES) throw new DocumentFault(FAULTS.size)
  await writeFile(join(folder, 'source.txt'), text)
  return { name: 'source.txt', filter: 'Text (encoded):UTF8,LF' }
}

async function prepareTable(source: string, { type }: Format, folder: string): Promise<OfficeInput> {
  await requireTextSize(source)
  const text = await readPlainText(source, type, MAX_TEXT_BYTES)
  await writeFile(join(folder, 'source.csv'), text)
  return { name: 'source.csv', filter: csvFilter(text) }
}

/** Writes non-ASCII characters as numeric references, which mean the same in any encoding that the page declares. */
async function prepareHtml(source: string, _format: Format, folder: string): Promise<OfficeInput> {
  await requireTextSize(source)
  const html = decodeHtml(await readHead(source, MAX_TEXT_BYTES))
  const ascii = html.replaceAll(/[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`)
  await writeFile(join(folder, 'source.html'), ascii)
  return { name: 'source.html', filter: 'HTML (StarWriter)' }
}

/** Writes a message as a page with its headers, body and list of attachments. */
async function prepareMail(source: string, _format: Format, folder: string): Promise<OfficeInput> {
  if ((await stat(source)).size > MAX_MAIL_BYTES) throw new DocumentFault(FAULTS.size)
  const bytes = await readHead(source, MAX_MAIL_BYTES)
  const mail = await readMail(bytes)
  if (mail === undefined) {
    if (isCompound(bytes)) throw new DocumentFault(FAULTS.damaged)
    return prepareWritten(decodeText(bytes), folder)
  }
  if (mail.html.length + mail.text.length > MAX_BODY) throw new DocumentFault(FAULTS.size)
  await writeFile(join(folder, 'source.html'), mailPage(mail))
  return { name: 'source.html', filter: 'HTML (StarWriter)' }
}

/** Filter options: separator, quote, UTF-8, first line. The separator is the one most frequent in the first line. */
function csvFilter(text: string): string {
  const line = text.slice(0, 10_000).split('\n')[0] ?? ''
  const count = (separator: string) => line.split(separator).length
  const separator = [',', ';', '\t', '|'].toSorted((a, b) => count(b) - count(a))[0] ?? ','
  return `CSV:${separator.charCodeAt(0)},34,76,1`
}

/**
 * Writes the settings of LibreOffice for one run: no macros, no links followed, nothing remembered. The sandbox has no
 * network anyway; the settings protect operators who run without it.
 */
export async function writeProfile(profileFolder: string): Promise<void> {
  const folder = join(profileFolder, 'user')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'registrymodifications.xcu'), profile())
}

const SETTINGS: [path: string, name: string, value: string][] = [
  ['org.openoffice.Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['org.openoffice.Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['org.openoffice.Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['org.openoffice.Office.Common/Security/Scripting', 'DisableActiveContent', 'true'],
  ['org.openoffice.Office.Writer/Content/Update', 'Link', '0'],
  ['org.openoffice.Office.Calc/Content/Update', 'Link', '1'],
  ['org.openoffice.Office.Common/Save/Document', 'CreateBackup', 'false'],
]

function profile(): string {
  const items = SETTINGS.map(
    ([path, name, value]) =>
      `<item oor:path="/${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">${items.join('')}</oor:items>`
}
