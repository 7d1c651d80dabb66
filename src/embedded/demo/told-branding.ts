import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { api } from '../../contract/index.ts'
import { SCHEMES } from '../../contract/endpoints/looks/accents.ts'
import { INES, LENA } from './people.ts'
import type { Teller } from './teller.ts'
import type { ToldRoom } from './told-room.ts'

const LOGOS = join(import.meta.dirname, 'logos')

const HARBOUR = {
  display_name: 'Harbour Terminals',
  accent_light: '#1d4e7a',
  accent_dark: '#8fbde8',
  sender_name: 'Harbour Terminals',
  replies: 'contact' as const,
  subject_en: 'Your access to {room}',
  text_en: '{inviter} of {organization} invites you into the data room {room}.',
  subject_de: 'Ihr Zugang zu {room}',
  text_de: '{inviter} von {organization} lädt Sie in den Datenraum {room} ein.',
}

const TIDEWATER = { display_name: 'Tidewater Robotics', accent_light: '#4a3f9e', accent_dark: '#b3aaf2' }

/** Gives the organization its look, which its rooms inherit. */
export async function brandOrganization(teller: Teller): Promise<void> {
  const ines = teller.as(INES)
  if ((await ines.call(api.brandings.getForOrganization, {})).logo_dark) return
  await ines.call(api.brandings.updateForOrganization, { body: { branding: HARBOUR } })
  for (const scheme of SCHEMES) {
    const logo = { scheme, image: await imageOf('harbour', scheme) }
    await ines.call(api.brandings.setLogoForOrganization, { body: { logo } })
  }
}

/** Gives the room of Tidewater a look of its own. */
export async function brandRound(teller: Teller, { id }: ToldRoom): Promise<void> {
  const lena = teller.as(LENA)
  const params = { id }
  if ((await lena.call(api.brandings.get, { params })).logo_dark) return
  await lena.call(api.brandings.update, { params, body: { branding: TIDEWATER } })
  for (const scheme of SCHEMES) {
    const logo = { scheme, image: await imageOf('tidewater', scheme) }
    await lena.call(api.brandings.setLogo, { params, body: { logo } })
  }
}

const imageOf = (name: string, scheme: string) => readFile(join(LOGOS, `${name}-${scheme}.svg`), 'base64')
