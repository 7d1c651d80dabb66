import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FAULTS } from './convert-faults.ts'
import { formatOf } from '../formats.ts'
import { DocumentFault } from '../render/fault.ts'
import { isEncryptedOffice, withOfficeContainer } from '../text/office-container.ts'

/** Copies the document into the folder under a name that LibreOffice recognizes, and returns the name. */
export async function prepareForOffice(source: string, contentType: string, folder: string): Promise<string> {
  const format = formatOf(contentType)
  if (format?.pages !== 'office') throw new Error(`LibreOffice does not read ${contentType}`)
  if (await isEncryptedOffice(source)) throw new DocumentFault(FAULTS.encrypted)
  // LibreOffice would take a container without content for plain text, and show its bytes.
  if (format.parts && !(await hasPart(source, format.parts))) throw new DocumentFault(FAULTS.damaged)
  const name = `source.${format.extensions[0]}`
  await copyFile(source, join(folder, name))
  return name
}

async function hasPart(source: string, prefixes: readonly string[]): Promise<boolean> {
  return withOfficeContainer(source, async ({ names }) =>
    names.some((name) => prefixes.some((prefix) => name.startsWith(prefix))),
  )
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
