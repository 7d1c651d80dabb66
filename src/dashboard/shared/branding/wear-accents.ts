import { isColour, mixed, type Scheme, textOn } from '../../../contract/endpoints/looks/accents.ts'

type Accents = Record<`accent_${Scheme}`, string | null>

/**
 * Gives the theme the accents of a room. Colours reach the style as values of single properties, so that none can say
 * more. @returns takes them off again
 */
export function wearAccents(look: Accents): () => void {
  const sheet = new CSSStyleSheet()
  dress(sheet, 'light', look.accent_light)
  dress(sheet, 'dark', look.accent_dark)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  }
}

function dress(sheet: CSSStyleSheet, scheme: Scheme, accent: string | null): void {
  if (accent === null || !isColour(accent)) return
  // Twice, so that it holds against the theme's own rule wherever that is.
  sheet.insertRule(`[data-scheme='${scheme}'][data-scheme='${scheme}'] {}`)
  const { style } = sheet.cssRules[0] as CSSStyleRule
  for (const [name, value] of Object.entries(shadesOf(accent))) style.setProperty(`--sr-palette-primary-${name}`, value)
}

/** Shades for hovering go away from the colour of the text on them. */
function shadesOf(accent: string): Record<string, string> {
  const text = textOn(accent)
  const away = text === '#ffffff' ? '#000000' : '#ffffff'
  const channels = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16)).join(' ')
  return {
    main: accent,
    dark: mixed(accent, away, 0.2),
    light: mixed(accent, away, 0.1),
    contrastText: text,
    mainChannel: channels,
  }
}
