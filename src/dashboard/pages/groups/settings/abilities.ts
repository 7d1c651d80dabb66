import { t } from '@lingui/core/macro'

/** Explains the switch for file-managing abilities. */
export const abilitiesText = () => t`In folders they may upload to, members can also rename, reorder and delete files.`
