import { t } from '@lingui/core/macro'

/** How a sealed copy opens. */
export const sealedWords = () => t`Opens in a browser after you sign in, until your access or the copy ends.`

export const unsealableWords = () => t`Downloads are sealed copies here, and none can be made of a file without pages.`
