import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FAULTS } from './convert-faults.ts'
import { DocumentFault } from './render/fault.ts'
import { isEncryptedOffice, withOfficeContainer } from './text/office-container.ts'
import { decodeHtml, isPlain, readPlainText } from './text/plain.ts'
import { readHead } from './text/read-head.ts'

export interface OfficeInput {
  /** File name in the working folder. */
  name: string
  /** LibreOffice's name of the import filter, set if LibreOffice might guess wrong. */
  filter?: string
}

const EXTENSIONS: Record<string, string> = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.ms-word.document.macroenabled.12': 'docm',
  'application/vnd.ms-excel.sheet.macroenabled.12': 'xlsm',
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': 'pptm',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/rtf': 'rtf',
}

/** Prefix of the content parts in the newer formats, which are zips. */
const CONTENT: Record<string, string> = {
  docx: 'word/',
  docm: 'word/',
  xlsx: 'xl/',
  xlsm: 'xl/',
  pptx: 'ppt/',
  pptm: 'ppt/',
  odt: 'content.xml',
  ods: 'content.xml',
  odp: 'content.xml',
}

/** LibreOffice would take a file without content parts for plain text, and show its bytes. */
async function hasContent(source: string, extension: string): Promise<boolean> {
  const start = CONTENT[extension]
  if (start === undefined) return true
  return withOfficeContainer(source, async ({ names }) => names.some((name) => name.startsWith(start)))
}

/** A few thousand pages; a longer log is not useful as pages. */
const MAX_TEXT_BYTES = 5 * 1024 ** 2

/** Copies the document into the working folder under a name by which LibreOffice recognizes its type. */
export async function prepareForOffice(source: string, contentType: string, folder: string): Promise<OfficeInput> {
  if (isPlain(contentType)) return prepareText(source, contentType, folder)
  if (await isEncryptedOffice(source)) throw new DocumentFault(FAULTS.encrypted)
  const extension = EXTENSIONS[contentType] ?? 'bin'
  if (!(await hasContent(source, extension))) throw new DocumentFault(FAULTS.damaged)
  const name = `source.${extension}`
  await copyFile(source, join(folder, name))
  return { name }
}

/** Writes the text as UTF-8, whatever its original encoding. */
async function prepareText(source: string, contentType: string, folder: string): Promise<OfficeInput> {
  if ((await stat(source)).size > MAX_TEXT_BYTES) throw new DocumentFault(FAULTS.size)
  if (contentType === 'text/html') return prepareHtml(source, folder)
  const text = await readPlainText(source, contentType, MAX_TEXT_BYTES)
  const isTable = contentType === 'text/csv'
  const name = isTable ? 'source.csv' : 'source.txt'
  await writeFile(join(folder, name), text)
  return { name, filter: isTable ? csvFilter(text) : 'Text (encoded):UTF8,LF' }
}

/** Writes non-ASCII characters as numeric references, which mean the same in any encoding that the page declares. */
async function prepareHtml(source: string, folder: string): Promise<OfficeInput> {
  const html = decodeHtml(await readHead(source, MAX_TEXT_BYTES))
  const ascii = html.replaceAll(/[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`)
  await writeFile(join(folder, 'source.html'), ascii)
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
