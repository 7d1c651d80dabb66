import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { X } from 'lucide-react'
import { useId, useState } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, useAction, useReading } from '../../../api/query.ts'
import { nameOf, personNamed } from '../../../shared/people.ts'
import { PersonChip } from '../../../shared/person-chip.tsx'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import type { Settings } from '../questions.ts'
import { barWords, type Expert, expertsQuery } from './experts.ts'

interface ExpertsDialogProps {
  settings: Settings
  onClose: () => void
}

/** Names experts and takes them off. Each change is stored at once. */
export function ExpertsDialog({ settings, onClose }: ExpertsDialogProps) {
  const workspaceId = useWorkspaceId()
  const { data: experts, error } = useReading(expertsQuery(workspaceId))
  const [leaving, setLeaving] = useState<Expert>()
  const titleId = useId()
  return (
    <Dialog open maxWidth="sm" fullWidth onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t`Experts`}</DialogTitle>
      <DialogContent>
        <Stack sx={{ gap: 2, pt: 0.75 }}>
          <Typography color="textSecondary">
            {t`Single questions can be passed to an expert, such as a tax adviser, who never sees who asked. Of other questions, an expert sees only answers that are given to everybody or to a group of the expert. Admins, and people in a group that asks or has asked questions, cannot be experts.`}
          </Typography>
          {error && <FormError>{messageOf(error)}</FormError>}
          {!experts && !error && <SkeletonRows height={44} />}
          {experts?.map((expert) => (
            <ExpertRow key={expert.user_id} expert={expert} onRemove={() => setLeaving(expert)} />
          ))}
          {experts && <AddExpert experts={experts} settings={settings} />}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </DialogActions>
      {leaving && <RemoveDialog expert={leaving} onClose={() => setLeaving(undefined)} />}
    </Dialog>
  )
}

function ExpertRow({ expert, onRemove }: { expert: Expert; onRemove: () => void }) {
  const { name, email, bar, waiting } = expert
  const waits = plural(waiting, { 0: 'Nothing waits', one: '# question waits', other: '# questions wait' })
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <PersonChip person={{ ...personNamed(name), email }} />
        <Typography
          variant="caption"
          component="p"
          color={bar ? 'error' : 'textSecondary'}
          sx={{ m: 0, mt: 0.5, pl: '38px' }}
        >
          {bar ? barWords(bar) : waits}
        </Typography>
      </Box>
      <IconButton aria-label={t`Take ${name} off the experts`} onClick={onRemove}>
        <X size={16} />
      </IconButton>
    </Box>
  )
}

type Member = Reply<typeof api.workspaces.listMembers>[number]

function AddExpert({ experts, settings }: { experts: readonly Expert[]; settings: Settings }) {
  const workspace_id = useWorkspaceId()
  const { data: members = [] } = useReading(read(api.workspaces.listMembers, { params: { id: workspace_id } }))
  const [text, setText] = useState('')
  const add = useAction(api.experts.add, { onDone: () => setText('') })
  const known = new Set(experts.map(({ user_id }) => user_id))
  const asking = new Set(
    settings.groups.filter(({ may_ask, has_asked }) => may_ask || has_asked).map(({ group_id }) => group_id),
  )
  const options = members.filter(({ admin, user }) => !admin && !known.has(user.id))
  /** Why a member cannot be named. */
  const obstacle = ({ groups, invitation_state }: Member) => {
    if (groups.some(({ id }) => asking.has(id))) return t`in a group that asks, or has asked, questions`
    return invitation_state === 'not_invited' ? t`not invited yet` : undefined
  }
  return (
    <>
      <Autocomplete
        size="small"
        value={null}
        options={options}
        inputValue={text}
        blurOnSelect
        disabled={add.isPending}
        getOptionKey={({ id }) => id}
        getOptionLabel={({ user }) => `${nameOf(user)} ${user.email}`}
        getOptionDisabled={(member) => obstacle(member) !== undefined}
        noOptionsText={t`Nobody found`}
        onInputChange={(_event, typed, reason) => reason !== 'reset' && setText(typed)}
        onChange={(_event, member) =>
          member && add.mutate({ params: { workspace_id }, body: { user_id: member.user.id } })
        }
        renderOption={({ key, ...props }, member) => (
          <li key={key} {...props}>
            <PersonChip person={member.user} size={24} />
            <Typography variant="caption" sx={{ ml: 'auto', pl: 1 }}>
              {obstacle(member)}
            </Typography>
          </li>
        )}
        renderInput={(params) => <TextField {...params} label={t`Name a member an expert`} />}
      />
      {add.error && <FormError>{messageOf(add.error)}</FormError>}
    </>
  )
}

function RemoveDialog({ expert: { user_id, name }, onClose }: { expert: Expert; onClose: () => void }) {
  const workspace_id = useWorkspaceId()
  const remove = useAction(api.experts.remove, { onDone: onClose })
  return (
    <ConfirmDialog
      open
      title={t`Take ${name} off the experts?`}
      confirm={t`Take off`}
      pending={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
      onConfirm={() => remove.mutate({ params: { workspace_id, user_id } })}
      onClose={onClose}
    >
      {t`All questions that were passed to this person are withdrawn. What the person wrote stays in the notes of the questions.`}
    </ConfirmDialog>
  )
}
