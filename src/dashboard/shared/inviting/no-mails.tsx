import { t } from '@lingui/core/macro'
import { MailX } from 'lucide-react'
import { Note } from '../../ui/states/note.tsx'
import { useWorkspace } from '../workspace.ts'

/** Why nobody can be invited or reminded in the workspace. */
export const noMailsText = () => t`The team sends no e-mails, so nobody can be invited or reminded.`

/** Shown where the team of the workspace suppresses mails. */
export function NoMails() {
  if (useWorkspace().team_rules?.suppress_emails !== true) return null
  return <Note icon={MailX}>{noMailsText()}</Note>
}
