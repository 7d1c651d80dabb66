import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const OFFICE_SETTINGS_FILE = 'registrymodifications.xcu'

/**
 * Writes the settings of LibreOffice for one run: no macros, no links followed, nothing remembered. The sandbox has no
 * network anyway; the settings protect operators who run without it.
 */
export async function writeProfile(profileFolder: string): Promise<void> {
  const folder = join(profileFolder, 'user')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, OFFICE_SETTINGS_FILE), officeSettings())
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

export function officeSettings(): string {
  const items = SETTINGS.map(
    ([path, name, value]) =>
      `<item oor:path="/${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">${items.join('')}</oor:items>`
}
