import { i18n } from '@lingui/core'
import type { Language } from './language.ts'

/** In which language the service writes for the reader: English where it does not know the one of the screen. */
export const serviceLanguage = (): Language => (i18n.locale === 'de' ? 'de' : 'en')
