import { t } from '@lingui/core/macro'
import TextField from '@mui/material/TextField'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Meanwhile } from '../../ui/meanwhile.tsx'
import { useDraft } from '../../ui/use-draft.ts'
import type { GroupInfo } from './group-info.ts'

export function RenameGroupDialog({ group, onClose }: { group: GroupInfo; onClose: () => void }) {
  const draft = useDraft({ name: group.name })
  const { name } = draft.values
  const rename = useAction(api.groups.update, { onDone: onClose })
  const submit = () =>
    rename.mutate({
      params: { id: group.id },
      body: { workspace_id: group.workspace_id, group: { name: name.trim() } },
    })
  return (
    <FormDialog
      open
      title={t`Rename group`}
      submit={t`Rename`}
      pending={rename.isPending}
      disabled={name.trim() === '' || draft.changed.length === 0}
      unsaved={draft.changed.length > 0}
      error={rename.error ? messageOf(rename.error) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t`Name`}
        value={name}
        autoFocus
        autoComplete="off"
        onChange={(event) => draft.set({ name: event.target.value })}
        helperText={draft.overtaken.length > 0 && <Meanwhile value={group.name} onTake={() => draft.drop('name')} />}
        slotProps={{ htmlInput: { maxLength: 255 } }}
      />
    </FormDialog>
  )
}
