import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { ChevronDown, ChevronsUp, Equal, type LucideIcon } from 'lucide-react'
import type { QUESTION_PRIORITIES } from '../../../contract/endpoints/deal/questions.ts'
import { known } from '../../ui/words/known.ts'

export interface Look {
  label: MessageDescriptor
  icon: LucideIcon
  colour: string
}

export const PRIORITIES: Record<(typeof QUESTION_PRIORITIES)[number], Look> = {
  high: { label: msg`High`, icon: ChevronsUp, colour: 'error.main' },
  normal: { label: msg`Normal`, icon: Equal, colour: 'text.secondary' },
  low: { label: msg`Low`, icon: ChevronDown, colour: 'text.secondary' },
}

export const priorityName = (priority: keyof typeof PRIORITIES): string =>
  i18n._(known(PRIORITIES, priority, { ...PRIORITIES.normal, label: msg`Another priority` }).label)
