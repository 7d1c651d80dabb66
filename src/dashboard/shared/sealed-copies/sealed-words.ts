import { t } from '@lingui/core/macro'

/** How a sealed copy opens. */
export const sealedWords = () => t`Opens in a browser after you sign in, as long as your access lasts.`
