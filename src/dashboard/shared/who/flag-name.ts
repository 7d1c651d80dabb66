import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Flag } from '../../../contract/endpoints/permissions.ts'

const FLAG_NAMES: Record<Flag, MessageDescriptor> = {
  view: msg({ message: 'View', context: 'right' }),
  download: msg({ message: 'Download', context: 'right' }),
  upload: msg({ message: 'Upload', context: 'right' }),
}

export const flagName = (flag: Flag): string => i18n._(FLAG_NAMES[flag])
