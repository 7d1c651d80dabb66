import { plural, t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, useAction, useReading } from '../../../api/query.ts'
import { ForeseenList } from '../../../shared/who/foreseen-list.tsx'
import { changesNothing } from '../../../shared/who/foreseen-words.ts'
import Button from '@mui/material/Button'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { EffectsTable } from '../changes/effects-table.tsx'
import { type StagedChange, stagedQuery } from './use-staged-rights.ts'

interface ReviewDialogProps {
  workspaceId: number
  onClose: () => void
}

/** Shows what is staged, and who gains and loses what by it, and publishes all of it in one act. */
export function ReviewDialog({ workspaceId, onClose }: ReviewDialogProps) {
  const params = { id: workspaceId }
  const { data: changes, error } = useReading({ ...stagedQuery(workspaceId), refetchOnMount: 'always' })
  const toasts = useToasts()
  const publish = useAction(api.stagedRights.publish, {
    onDone: ({ effects }) => {
      onClose()
      toasts.done(
        plural({ changes: effects.length }, { one: '# change is published', other: '# changes are published' }),
      )
    },
  })
  const discard = useAction(api.stagedRights.discard)
  const discardOne = ({ folder_id, group_id }: StagedChange) =>
    discard.mutate({ params, query: { folder_id, group_id } })
  const count = changes?.length ?? 0
  const read_until = (changes ?? [])
    .map(({ staged_at }) => staged_at)
    .toSorted()
    .at(-1)
  const failure = error ?? publish.error ?? discard.error
  return (
    <FormDialog
      open
      maxWidth="md"
      title={t`Staged changes of access`}
      submit={t`Publish now`}
      disabled={count === 0}
      pending={publish.isPending || discard.isPending}
      error={failure ? messageOf(failure) : undefined}
      onSubmit={() => publish.mutate({ params, body: { read_until } })}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {count > 0
          ? t`Nobody has these rights yet. Publishing makes all of them apply at once.`
          : t`Nothing is staged.`}
      </Typography>
      {!changes && !error && <SkeletonRows rows={3} height={36} columns="minmax(0, 1fr)" />}
      {changes && count > 0 && (
        <>
          <EffectsTable label={t`Staged changes of access`} effects={changes} onDiscard={discardOne} />
          <Consequences workspaceId={workspaceId} changes={changes} />
          <div>
            <Button color="error" size="small" onClick={() => discard.mutate({ params, query: {} })}>
              {t`Discard all`}
            </Button>
          </div>
        </>
      )}
    </FormDialog>
  )
}

function Consequences({ workspaceId, changes }: { workspaceId: number; changes: readonly StagedChange[] }) {
  const { data } = useReading({
    ...read(api.stagedRights.foresee, { params: { id: workspaceId } }),
    refetchOnMount: 'always',
    gcTime: 0,
  })
  const drafts = changes.filter(({ in_draft }) => in_draft).length
  return (
    <>
      <Typography sx={{ fontWeight: 600 }}>{t`What it means`}</Typography>
      {!data && <SkeletonRows rows={2} height={44} columns="minmax(0, 1fr)" />}
      {data && changesNothing(data) && (
        <Typography color="textSecondary">{t`Nobody gains or loses access by it today.`}</Typography>
      )}
      {data && !changesNothing(data) && <ForeseenList rights={data} />}
      {drafts > 0 && (
        <Typography color="textSecondary">
          {plural(drafts, {
            one: '# of the changes is on a draft folder: it applies once that is published, too.',
            other: '# of the changes are on draft folders: they apply once these are published, too.',
          })}
        </Typography>
      )}
    </>
  )
}
