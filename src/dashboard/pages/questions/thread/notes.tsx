import type { MessageDescriptor } from '@lingui/core'
import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction } from '../../../api/query.ts'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { useUnsavedChanges } from '../../../ui/dialogs/use-unsaved-changes.ts'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { Time } from '../../../ui/words/time.tsx'
import type { Thread, Work } from '../questions.ts'
import { known } from '../../../ui/words/known.ts'

const DID: Record<Work['entries'][number]['kind'], MessageDescriptor> = {
  note: msg`noted`,
  drafted: msg`drafted an answer`,
  changed: msg`changed the question’s facts`,
  submitted: msg`submitted the draft for approval`,
  sent_back: msg`sent the draft back`,
  answered: msg`gave the answer`,
  closed: msg`closed the question`,
  reopened: msg`reopened the question`,
  withdrawn: msg`withdrew the question`,
  written: msg`wrote this for the FAQ`,
  edited: msg`edited it; before it said`,
  placed: msg`put it among the FAQ`,
  removed: msg`took it from the FAQ`,
  passed: msg`passed the question to an expert`,
  asked_back: msg`asked the expert again`,
  expert_drafted: msg`drafted an answer as an expert`,
  expert_remarked: msg`remarked as an expert`,
  pass_withdrawn: msg`withdrew the question from an expert`,
  assigned: msg`added it in a category with rules for who answers and until when`,
}

/** Internal notes, and who did what. */
export function Notes({ thread, work }: { thread: Thread; work: Work }) {
  const workspace_id = useWorkspaceId()
  const toasts = useToasts()
  const [text, setText] = useState('')
  useUnsavedChanges(text.trim() !== '')
  const note = useAction(api.questions.note, { onDone: () => setText('') })
  const add = () =>
    note.mutate(
      { params: { workspace_id, question_id: thread.id }, body: { text } },
      { onError: (error) => toasts.failed(messageOf(error)) },
    )
  return (
    <Internal aria-label={t`Internal notes`}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, color: 'warning.main', fontWeight: 600 }}>
        <Lock size={14} aria-hidden />
        <Trans>Never shown to askers</Trans>
      </Box>
      {work.entries.map(({ id, kind, user_id, user_name, text: said, created_at, expert }) => (
        <div key={id}>
          <Typography variant="caption" component="p" color="textSecondary">
            <strong>{user_name}</strong> {i18n._(known(DID, kind, msg`took a step that this page does not know yet`))}
            {expert && expert.id !== user_id && `: ${expert.name}`}, <Time at={created_at} />
          </Typography>
          {said !== '' && <p>{said}</p>}
        </div>
      ))}
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'start' }}>
        <TextField
          label={t`Internal note`}
          multiline
          maxRows={6}
          fullWidth
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button
          variant="outlined"
          sx={{ flexShrink: 0 }}
          disabled={text.trim() === ''}
          loading={note.isPending}
          onClick={add}
        >
          <Trans>Add note</Trans>
        </Button>
      </Box>
    </Internal>
  )
}

const Internal = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: 10,
  padding: 12,
  borderRadius: 8,
  background: `color-mix(in srgb, ${theme.vars.palette.warning.main} 11%, ${theme.vars.palette.background.paper})`,
  p: { margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
}))
