import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { api } from '../../contract/index.ts'
import { SCHEMES } from '../../contract/endpoints/looks/accents.ts'
import { type DemoPerson, INES } from './people.ts'
import type { Teller } from './teller.ts'
import type { ToldRoom } from './told-room.ts'

const LOGOS = join(import.meta.dirname, 'logos')

/** What mails of all rooms say. */
const MAILS = {
  sender_name: 'Harbour Terminals',
  replies: 'contact' as const,
  subject_en: 'Your access to {room}',
  text_en: '{inviter} of {organization} invites you into the data room {room}.',
  subject_de: 'Ihr Zugang zu {room}',
  text_de: '{inviter} von {organization} lädt Sie in den Datenraum {room} ein.',
}

const LOOKS = {
  harbour: { display_name: 'Harbour Terminals', accent_light: '#1d4e7a', accent_dark: '#8fbde8' },
  tidewater: { display_name: 'Tidewater Robotics', accent_light: '#4a3f9e', accent_dark: '#b3aaf2' },
}

export async function brandMails(teller: Teller): Promise<void> {
  const ines = teller.as(INES)
  if ((await ines.call(api.brandings.getForOrganization, {})).sender_name) return
  await ines.call(api.brandings.updateForOrganization, { body: { branding: MAILS } })
}

/** Gives a room a look of its own. Project Harbour has none: its Files are the first page that benches measure. */
export async function brandRoom(
  teller: Teller,
  { id }: ToldRoom,
  by: DemoPerson,
  name: keyof typeof LOOKS,
): Promise<void> {
  const admin = teller.as(by)
  const params = { id }
  if ((await admin.call(api.brandings.get, { params })).logo_dark) return
  await admin.call(api.brandings.update, { params, body: { branding: LOOKS[name] } })
  for (const scheme of SCHEMES) {
    const image = await readFile(join(LOGOS, `${name}-${scheme}.svg`), 'base64')
    await admin.call(api.brandings.setLogo, { params, body: { logo: { scheme, image } } })
  }
}
