import { i18n, type Messages } from '@lingui/core'

/** English texts are in the code itself and need no catalogue. */
const CATALOGUES: Record<string, () => Promise<{ messages: Messages }>> = {
  de: () => import('../../locales/de.po'),
  pseudo: () => import('../../locales/pseudo.po'),
}

/** Texts of some pages only, by the folders of `src/tools/lingui.config.ts`. */
const APART = {
  administration: {
    de: () => import('../../locales/administration/de.po'),
    pseudo: () => import('../../locales/administration/pseudo.po'),
  },
  deal: {
    de: () => import('../../locales/deal/de.po'),
    pseudo: () => import('../../locales/deal/pseudo.po'),
  },
} satisfies Record<string, typeof CATALOGUES>

/** Each language by its own name. */
export const LANGUAGES = [
  { language: 'en', name: 'English' },
  { language: 'de', name: 'Deutsch' },
] as const

export type Language = (typeof LANGUAGES)[number]['language']

/** Locales for dates, numbers and sorting, as [BCP 47](https://www.rfc-editor.org/info/bcp47) tags. */
const FORMATS: Record<string, string> = { de: 'de-DE' }
const STORAGE = 'language'

/** Returns the locale for `Intl`. */
export const formatLocale = () => FORMATS[i18n.locale] ?? 'en-GB'

/** Returns the language chosen in this browser, or else the first supported language of the browser. */
export const wantedLanguage = (): string => chosen() ?? spoken() ?? 'en'

/** Call this before the first text is shown. Falls back to English if the catalogue cannot be loaded. */
export async function startLanguage(language: string): Promise<void> {
  document.documentElement.lang = language === 'pseudo' ? 'en' : language
  try {
    const { messages } = (await CATALOGUES[language]?.()) ?? { messages: {} }
    i18n.loadAndActivate({ locale: language, locales: [FORMATS[language] ?? 'en-GB'], messages })
  } catch {
    await startLanguage('en')
  }
}

/** Loads a module together with the catalogue of its texts; they stay English if that cannot be loaded. */
export const withTexts =
  <Module>(apart: keyof typeof APART, load: () => Promise<Module>) =>
  async (): Promise<Module> => {
    const { locale } = i18n
    const catalogues: typeof CATALOGUES = APART[apart]
    const [module, catalogue] = await Promise.all([load(), catalogues[locale]?.().catch(() => undefined)])
    if (catalogue) i18n.load(locale, catalogue.messages)
    return module
  }

/** Stores the language in this browser, like the colour scheme, and reloads the page. */
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
