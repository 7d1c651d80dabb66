import { plural, t } from '@lingui/core/macro'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { messageOf } from '../../../../api/failures.ts'
import { WordsField } from '../../../../shared/inviting/words-field.tsx'
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx'
import { DraftsTable } from './drafts-table.tsx'
import { OpeningFields } from './opening-fields.tsx'
import { PlanNote } from './plan-note.tsx'
import { seenWords } from './published-words.ts'
import { usePublishing } from './use-publishing.ts'

interface PublishDialogProps {
  workspaceId: number
  /** Ids of the folders that are meant, and of those above them. */
  folderIds: ReadonlySet<number>
  onClose: () => void
}

type Publishing = ReturnType<typeof usePublishing>

/** Shows who will see which drafts, and publishes the chosen ones together, now or at a time. */
export function PublishDialog({ workspaceId, folderIds, onClose }: PublishDialogProps) {
  const publishing = usePublishing(workspaceId, folderIds, onClose)
  const { data, form, change, failure } = publishing
  const hasDrafts = data !== undefined && data.drafts.length > 0
  const { isPlanned } = form.opening
  const isPlan = data?.schedule?.problem === null
  return (
    <FormDialog
      open
      maxWidth="md"
      title={t`Publish drafts`}
      submit={isPlanned ? (isPlan ? t`Change the plan` : t`Plan publishing`) : t`Publish now`}
      disabled={!publishing.isReady}
      pending={publishing.isPending}
      error={failure ? messageOf(failure) : undefined}
      unsaved={publishing.isChanged}
      onSubmit={publishing.submit}
      onClose={onClose}
    >
      {data?.schedule && (
        <PlanNote workspaceId={workspaceId} plan={data.schedule} onCancelled={publishing.forgetPlan} />
      )}
      <Typography color="textSecondary">
        {data && !hasDrafts
          ? t`There are no drafts in this workspace.`
          : t`Only workspace admins see them now. Here is who will.`}
      </Typography>
      {hasDrafts && (
        <>
          <DraftsTable {...data} chosen={form.chosen} onChoose={(chosen) => change({ chosen })} />
          <Consequences publishing={publishing} />
          <OpeningFields value={form.opening} onChange={(opening) => change({ opening })} />
          <StagedRights publishing={publishing} />
          <Inviting publishing={publishing} />
        </>
      )}
    </FormDialog>
  )
}

function Consequences({ publishing: { data, isAny, isSome, trial, form } }: { publishing: Publishing }) {
  return (
    <div aria-live="polite">
      <Typography sx={{ fontWeight: 600 }}>
        {!isAny ? t`Choose at least one draft.` : trial ? seenWords(trial) : '\u00a0'}
      </Typography>
      <Typography color="textSecondary">
        {t`People who get mails of news find the files in their next one. Mails that were sent stay sent.`}
      </Typography>
      {data?.groups.some(({ is_draft }) => is_draft) && (
        <Typography color="textSecondary">
          {t`Draft groups see nothing of them until these groups are published, each on its own page.`}
        </Typography>
      )}
      {isAny && isSome && (
        <Typography color="textSecondary">
          {t`Drafts that you leave out come behind what is published beside them, so their numbers may change.`}
        </Typography>
      )}
      {form.opening.isPlanned && (
        <Typography color="textSecondary">
          {t`The rights of that moment decide who sees them, and you must still be an admin. Until then, only admins learn of the plan.`}
        </Typography>
      )}
    </div>
  )
}

function StagedRights({ publishing }: { publishing: Publishing }) {
  const { form, staged, withStaged, isOtherStaged, chooseStaged } = publishing
  if (staged === 0) return null
  if (form.opening.isPlanned) {
    return (
      <Typography color="textSecondary">
        {t`Staged changes of access are not part of the plan: they are published under Access.`}
      </Typography>
    )
  }
  const label = plural(staged, {
    one: 'Publish the staged change of access with them',
    other: 'Publish the # staged changes of access with them',
  })
  return (
    <div>
      <FormControlLabel
        label={label}
        control={<Checkbox checked={withStaged} onChange={(_event, checked) => chooseStaged(checked)} />}
      />
      {isOtherStaged && (
        <Typography color="textSecondary" role="status">
          {t`They were changed meanwhile. Look at them under Access, and choose them again.`}
        </Typography>
      )}
    </div>
  )
}

function Inviting({ publishing: { form, change, uninvited, invites } }: { publishing: Publishing }) {
  const { isPlanned } = form.opening
  if (!isPlanned && uninvited === 0) return null
  const label = isPlanned
    ? t`Invite the people among them who are not invited by then, at most 100`
    : plural(uninvited, {
        one: 'Invite # person among them who is not invited yet',
        other: 'Invite # people among them who are not invited yet',
      })
  return (
    <>
      <FormControlLabel
        label={label}
        control={<Checkbox checked={invites} onChange={(_event, checked) => change({ wantsInviting: checked })} />}
      />
      {invites && <WordsField value={form.message} onChange={(message) => change({ message })} />}
    </>
  )
}
