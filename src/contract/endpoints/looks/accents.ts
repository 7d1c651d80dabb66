/** Accent colours of a branding, and whether they can be read on what the dashboard shows them on (WCAG 2.2, 1.4.3). */

export const SCHEMES = ['light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

/** The backgrounds of links and buttons; the theme of the dashboard has the same. */
export const SURFACES: Record<Scheme, readonly string[]> = {
  light: ['#ffffff', '#f4f6f7', '#e5edee'],
  dark: ['#0d1314', '#151d1f', '#1b2f32'],
}

/** Where no accent is set. */
export const OWN_ACCENTS: Record<Scheme, string> = { light: '#0b5d66', dark: '#5fc4ce' }

/** Text needs 4.5:1; borders and other parts of controls need 3:1 and so have it too. */
export const NEEDED_CONTRAST = 4.5

export const isColour = (text: string): boolean => /^#[0-9a-fA-F]{6}$/.test(text)

const channelsOf = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 to 21. */
export function contrastBetween(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The lowest contrast of a colour to the surfaces of a scheme. */
export const contrastIn = (scheme: Scheme, colour: string): number =>
  Math.min(...SURFACES[scheme].map((surface) => contrastBetween(colour, surface)))

export const isReadable = (scheme: Scheme, colour: string): boolean => contrastIn(scheme, colour) >= NEEDED_CONTRAST

/** Rounded down, so that a contrast that does not suffice never looks as if it did. */
export const shownContrast = (contrast: number): string => (Math.floor(contrast * 10) / 10).toFixed(1)

/** White or black, whichever is read better; one of them always has 4.5:1. */
export const textOn = (colour: string): '#ffffff' | '#000000' =>
  contrastBetween(colour, '#ffffff') >= contrastBetween(colour, '#000000') ? '#ffffff' : '#000000'

/** @param share of the other colour, from 0 to 1 */
export function mixed(colour: string, other: string, share: number): string {
  const others = channelsOf(other)
  const channels = channelsOf(colour).map((own, at) => Math.round(own + ((others[at] ?? 0) - own) * share))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Returns the nearest darker or lighter colour that can be read in the scheme. */
export function readableIn(scheme: Scheme, colour: string): string {
  const end = scheme === 'light' ? '#000000' : '#ffffff'
  for (let percent = 0; percent < 100; percent++) {
    const candidate = mixed(colour, end, percent / 100)
    if (isReadable(scheme, candidate)) return candidate
  }
  return end
}
