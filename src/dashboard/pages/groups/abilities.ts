import { t } from '@lingui/core/macro'

/** What the switch for file-managing abilities does. */
export const abilitiesText = () => t`In folders they may upload to, members can also rename, reorder and delete files.`
