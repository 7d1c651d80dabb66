import { t } from '@lingui/core/macro'
import { EyeOff } from 'lucide-react'
import { Note } from '../../../ui/states/note.tsx'

/** What a draft means for the people in it. */
export const DraftNote = () => (
  <Note icon={EyeOff}>
    {t`Only workspace admins know of this group. Its people get in and can be invited once it is published.`}
  </Note>
)
