import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Typography from '@mui/material/Typography'
import { useWorkspace } from '../workspace.ts'
import { NoMails } from './no-mails.tsx'
import { WordsField } from './words-field.tsx'

export interface Inviting {
  send_email: boolean
  message: string
}

export const INVITE_NOW: Inviting = { send_email: true, message: '' }

interface InviteChoiceProps {
  value: Inviting
  onChange: (value: Inviting) => void
}

/** Whether people who are new in the workspace get a mail now, and with which words. */
export function InviteChoice({ value, onChange }: InviteChoiceProps) {
  const { send_email } = value
  if (useWorkspace().team_rules?.suppress_emails) return <NoMails />
  return (
    <div>
      <RadioGroup
        row
        aria-label={t`Invitation`}
        value={send_email ? 'now' : 'later'}
        onChange={(_event, when) => onChange({ ...value, send_email: when === 'now' })}
      >
        <FormControlLabel value="now" control={<Radio size="small" />} label={t`Invite now`} />
        <FormControlLabel value="later" control={<Radio size="small" />} label={t`Invite later`} />
      </RadioGroup>
      {send_email ? (
        <WordsField value={value.message} onChange={(message) => onChange({ ...value, message })} />
      ) : (
        <Typography variant="caption" color="textSecondary" component="p">
          <Trans>They are added without a mail. Invite them from the page of their group when the room is ready.</Trans>
        </Typography>
      )}
    </div>
  )
}
