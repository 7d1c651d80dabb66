import { i18n, type Messages } from '@lingui/core'

/** English stands in the code itself and needs no catalogue. */
const CATALOGUES: Record<string, () => Promise<{ messages: Messages }>> = {
  de: () => import('../locales/de.po'),
  pseudo: () => import('../locales/pseudo.po'),
}

/** As their speakers call them. */
export const LANGUAGES = [
  { language: 'en', name: 'English' },
  { language: 'de', name: 'Deutsch' },
] as const

export type Language = (typeof LANGUAGES)[number]['language']

/** How dates, numbers and orders are written: [BCP 47](https://www.rfc-editor.org/info/bcp47) tags. */
const FORMATS: Record<string, string> = { de: 'de-DE' }
const STORAGE = 'language'

/** The tag for `Intl`. */
export const formatLocale = () => FORMATS[i18n.locale] ?? 'en-GB'

/** The language chosen in this browser, or else the first of the browser's that we speak. */
export const wantedLanguage = (): string => chosen() ?? spoken() ?? 'en'

/** Before the first text is shown. Without its catalogue a language would leave nothing to see: then it is English. */
export async function startLanguage(language: string): Promise<void> {
  document.documentElement.lang = language === 'pseudo' ? 'en' : language
  try {
    const { messages } = (await CATALOGUES[language]?.()) ?? { messages: {} }
    i18n.loadAndActivate({ locale: language, locales: [FORMATS[language] ?? 'en-GB'], messages })
  } catch {
    await startLanguage('en')
  }
}

/** Kept in this browser, like the colours. The page is loaded anew at its address, in the language. */
export function setLanguage(language: Language): void {
  localStorage.setItem(STORAGE, language)
  window.location.reload()
}

function chosen(): string | undefined {
  const kept = stored()
  return kept === 'en' || (kept !== undefined && Object.hasOwn(CATALOGUES, kept)) ? kept : undefined
}

function stored(): string | undefined {
  try {
    return localStorage.getItem(STORAGE) ?? undefined
  } catch {
    // Storage may be forbidden; then the browser's languages decide.
    return undefined
  }
}

const spoken = (): Language | undefined =>
  navigator.languages
    .map((tag) => LANGUAGES.find(({ language }) => language === tag.split('-')[0])?.language)
    .find((language) => language !== undefined)
