import {
  isColour,
  isReadable,
  OWN_ACCENTS,
  type Scheme,
  SURFACES,
  textOn,
} from '../../../contract/endpoints/looks/accents.ts'
import { Html } from '../../../wire/html.ts'

/** How the mails of a room look; null: as the installation has it. */
export interface MailLook {
  display_name: string | null
  accent_light: string | null
  accent_dark: string | null
}

export type Accents = Record<Scheme, string>

/** Only six digits reach a style, and only a colour that can be read on the card. */
export const accentsOf = (look: MailLook | undefined): Accents => ({
  light: accentIn('light', look?.accent_light),
  dark: accentIn('dark', look?.accent_dark),
})

const accentIn = (scheme: Scheme, colour: string | null | undefined): string =>
  colour && isColour(colour) && isReadable(scheme, colour) ? colour : OWN_ACCENTS[scheme]

const FONT = 'font-family: system-ui, -apple-system, Segoe UI, Roboto, Arial, sans-serif'
const CARD_WIDTH = 'width: 100%; max-width: 600px; margin: 0 auto'

/** Mail programs that drop style sheets keep these, which are for a light background. Lengths are whole pixels. */
const STYLES = {
  back: `margin: 0; padding: 24px 12px; background: ${SURFACES.light[1]}; color: #101a1c; font-size: 15px; line-height: 23px; ${FONT}`,
  card: `${CARD_WIDTH}; background: ${SURFACES.light[0]}; border-radius: 12px; border-spacing: 0`,
  inside: `padding: 12px 24px; overflow-wrap: anywhere; ${FONT}`,
  logo: 'display: inline-block; margin: 12px 0 0; border-radius: 6px',
  logoOnDark: `display: inline-block; margin: 12px 0 0; padding: 6px; border-radius: 6px; background: ${SURFACES.dark[0]}`,
  brand: 'margin: 10px 0 16px; font-size: 13px; line-height: 18px; font-weight: 600; color: #4b5a5e',
  soft: 'margin: 0; font-size: 13px; line-height: 19px; color: #4b5a5e',
  room: 'margin: 12px 0 2px; font-size: 22px; line-height: 29px',
  title: 'margin: 28px 0 4px; font-size: 15px; font-weight: 650',
  list: 'margin: 12px 0; padding-left: 20px',
  item: 'margin: 8px 0',
  table: 'width: 100%; border-collapse: collapse',
  figure: 'padding: 0 8px 0 0; vertical-align: top; width: 25%',
  value: 'font-size: 20px; line-height: 30px; font-weight: 650; white-space: nowrap',
  line: 'padding: 8px 0; border-top: 1px solid #dfe5e7; vertical-align: top; overflow-wrap: anywhere',
  aside:
    'padding: 8px 0 8px 12px; border-top: 1px solid #dfe5e7; vertical-align: top; text-align: right; white-space: nowrap; font-weight: 600',
  track: 'height: 5px; margin-top: 6px; border-radius: 3px; background: #e4eaec',
  foot: `${CARD_WIDTH}; padding: 16px 24px; box-sizing: border-box`,
  way: 'color: #4b5a5e',
}

/** Class and style of an element. */
export const look = (name: keyof typeof STYLES, more = ''): Html =>
  new Html(`class="${name}" style="${STYLES[name]}${more}"`)

/** Class and style of an element that has the accent. */
export const accented = (name: 'link' | 'button' | 'press' | 'bar', { light }: Accents, more = ''): Html => {
  const styles = {
    link: `color: ${light}; font-weight: 500`,
    button: `background: ${light}; border-radius: 8px`,
    press: `display: inline-block; padding: 10px 18px; background: ${light}; color: ${textOn(light)}; border-radius: 8px; font-weight: 600; text-decoration: none`,
    bar: `height: 5px; border-radius: 3px; background: ${light}`,
  }
  return new Html(`class="${name}" style="${styles[name]}${more}"`)
}

export const styleSheet = ({ dark }: Accents): Html =>
  new Html(`:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
.back { background: ${SURFACES.dark[0]} !important; color: #edf2f3 !important }
.card { background: ${SURFACES.dark[1]} !important }
.logo { padding: 6px; background: #ffffff }
.brand, .soft, .way { color: #a6b4b7 !important }
.line, .aside { border-color: #2b393c !important }
.track { background: #2b393c !important }
.link { color: ${dark} !important }
.bar, .button, .press { background: ${dark} !important }
.press { color: ${textOn(dark)} !important }
}`)
