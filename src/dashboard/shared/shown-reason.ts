import { t } from '@lingui/core/macro'
import type { DocumentReason } from '../../contract/shown-sentences.ts'
import { reasonInWords } from '../api/service-words.ts'

const OF_THE_INSTALLATION: readonly (string | null)[] = [
  'no_libreoffice',
  'no_heif_convert',
  'no_sandbox',
  'too_little_memory',
] satisfies DocumentReason[]

/** Says why a file has no pages; "" without a reason. What the installation lacks is the business of its admins. */
export function shownReason(reason: Parameters<typeof reasonInWords>[0], isAdmin: boolean): string {
  if (isAdmin || !OF_THE_INSTALLATION.includes(reason.reason_code)) return reasonInWords(reason)
  return t`This file cannot be shown yet. Ask an admin of the workspace.`
}
