import { t } from '@lingui/core/macro'
import MenuItem from '@mui/material/MenuItem'
import { RowMenu } from '../../../ui/fields/row-menu.tsx'
import type { Question } from '../questions.ts'
import { useFaq } from './use-faq.ts'

interface FaqMenuProps {
  entry: Question
  /** Those of the same category, in their order; undefined where not all of them are listed. */
  section: readonly Question[] | undefined
  onEdit: () => void
}

/** What admins do with an answer to all, or one of the FAQ. */
export function FaqMenu({ entry, section, onEdit }: FaqMenuProps) {
  const faq = useFaq(entry.id)
  const at = section?.findIndex(({ id }) => id === entry.id) ?? -1
  const next = at < 0 ? undefined : section?.[at + 1]
  const label = t`More about “${entry.subject}”`
  if (!entry.faq) {
    return (
      <RowMenu label={label}>
        <MenuItem onClick={() => faq.place({})}>{t`Put among the FAQ`}</MenuItem>
      </RowMenu>
    )
  }
  return (
    <RowMenu label={label}>
      <MenuItem onClick={onEdit}>{t`Edit`}</MenuItem>
      {at > 0 && <MenuItem onClick={() => faq.place({ after: section?.[at - 2]?.id ?? null })}>{t`Move up`}</MenuItem>}
      {next && <MenuItem onClick={() => faq.place({ after: next.id })}>{t`Move down`}</MenuItem>}
      {entry.group && <MenuItem onClick={() => faq.place({ faq: false })}>{t`Take from the FAQ`}</MenuItem>}
      <MenuItem onClick={faq.unpublish}>{t`Take the answer back`}</MenuItem>
    </RowMenu>
  )
}
