import { t } from '@lingui/core/macro'

export const abilitiesText = () => t`In folders they may upload to, members can also rename, reorder and delete files.`
