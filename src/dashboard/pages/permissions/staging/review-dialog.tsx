import { plural, t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { MOST_STAGED } from '../../../../contract/endpoints/deal/staged-rights.ts'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, useAction, useReading } from '../../../api/query.ts'
import { ForeseenList } from '../../../shared/who/foreseen-list.tsx'
import { changesNothing } from '../../../shared/who/foreseen-words.ts'
import { type StagedChange, useStagedRights } from '../../../shared/who/staged-rights.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { EffectsTable } from '../changes/effects-table.tsx'

interface ReviewDialogProps {
  workspaceId: number
  onClose: () => void
}

/** Shows what is staged, and who gains and loses what by it, and publishes all of it in one act. */
export function ReviewDialog({ workspaceId, onClose }: ReviewDialogProps) {
  const params = { id: workspaceId }
  const { data, error } = useStagedRights(workspaceId)
  const changes = data?.changes
  const [isAsking, setAsking] = useState(false)
  const toasts = useToasts()
  const count = changes?.length ?? 0
  const publish = useAction(api.stagedRights.publish, {
    onDone: () => {
      onClose()
      toasts.done(plural({ changes: count }, { one: '# change is published', other: '# changes are published' }))
    },
  })
  const discard = useAction(api.stagedRights.discard)
  const discardOne = ({ folder_id, group_id }: StagedChange) =>
    discard.mutate({ params, query: { folder_id, group_id } })
  const foreseen = useForeseen(workspaceId, data?.digest)
  const failure = error ?? publish.error ?? discard.error
  return (
    <FormDialog
      open
      maxWidth="md"
      title={t`Staged changes of access`}
      submit={t`Publish now`}
      disabled={count === 0 || foreseen.isPending}
      pending={publish.isPending || discard.isPending}
      error={failure ? messageOf(failure) : undefined}
      onSubmit={() => publish.mutate({ params, body: { digest: data?.digest } })}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {count > 0 ? t`None of this applies yet. Publishing makes all of it apply at once.` : t`Nothing is staged.`}
      </Typography>
      {!changes && !error && <SkeletonRows rows={3} height={36} columns="minmax(0, 1fr)" />}
      {changes && count > 0 && (
        <>
          <EffectsTable
            label={t`Staged changes of access`}
            effects={changes}
            most={MOST_STAGED}
            onDiscard={discard.isPending ? undefined : discardOne}
          />
          <Consequences foreseen={foreseen} changes={changes} />
          <div>
            <Button color="error" size="small" onClick={() => setAsking(true)}>
              {t`Discard all`}
            </Button>
          </div>
          <ConfirmDialog
            open={isAsking}
            title={t`Discard all staged changes?`}
            confirm={t`Discard all`}
            pending={discard.isPending}
            error={discard.error ? messageOf(discard.error) : undefined}
            onConfirm={() => discard.mutate({ params, query: {} }, { onSuccess: onClose })}
            onClose={() => setAsking(false)}
          >
            {plural(count, {
              one: '# change is lost, whoever staged it. Nothing changes for anybody.',
              other: '# changes are lost, whoever staged them. Nothing changes for anybody.',
            })}
          </ConfirmDialog>
        </>
      )}
    </FormDialog>
  )
}

/** Read again for other staged changes, so that it is about those that are listed. */
function useForeseen(workspaceId: number, digest: string | undefined) {
  const { queryKey, queryFn } = read(api.stagedRights.foresee, { params: { id: workspaceId } })
  return useReading({ queryKey: [...queryKey, digest], queryFn, enabled: digest !== undefined, gcTime: 0 })
}

interface ConsequencesProps {
  foreseen: ReturnType<typeof useForeseen>
  changes: readonly StagedChange[]
}

function Consequences({ foreseen: { data, error }, changes }: ConsequencesProps) {
  const drafts = changes.filter(({ in_draft }) => in_draft).length
  return (
    <>
      <Typography sx={{ fontWeight: 600 }}>{t`What it means`}</Typography>
      {error && <FormError>{messageOf(error)}</FormError>}
      {!data && !error && <SkeletonRows rows={2} height={44} columns="minmax(0, 1fr)" />}
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
