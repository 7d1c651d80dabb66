import { t } from '@lingui/core/macro'
import type { FileEntry } from '../listing/entries.ts'

type ViewerStatus = FileEntry['source']['viewer_status']

/** How a sealed copy opens. */
export const sealedWords = () => t`Opens in a browser after you sign in, until your access or the copy ends.`

/** A sealed copy is made of pages, so a file without any is not delivered where downloads are sealed. */
export const isUnsealable = (status: ViewerStatus) => status === 'Failed' || status === 'Unsupported'

export const unsealableWords = () => t`Downloads are sealed copies here, and none can be made of a file without pages.`
