import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Reply } from '../../../../../contract/endpoint.ts'
import { api } from '../../../../../contract/index.ts'
import { read, useAction, useReading } from '../../../../api/query.ts'
import { useStagedRights } from '../../../../shared/who/staged-rights.ts'
import { useToasts } from '../../../../ui/toasts/toasts.tsx'
import { type Opening, refusalOf } from './opening-fields.tsx'
import { instantOf, openingWords, tomorrowMorning, wallClockOf } from './opening-time.ts'
import { leftWords, publishedWords } from './published-words.ts'

type Drafts = Reply<typeof api.drafts.list>

/** What an admin has changed in the dialog. The rest is as it is planned, or as usual. */
interface Changed {
  chosen?: ReadonlySet<number>
  opening?: Opening
  wantsInviting?: boolean
  /** The digest of the staged rights that were seen when they were chosen. */
  withStaged?: string | undefined
  message?: string
}

/** The state of the dialog that publishes drafts, now or at a time. */
export function usePublishing(workspaceId: number, folderIds: ReadonlySet<number>, onClose: () => void) {
  const params = { id: workspaceId }
  const {
    data: now,
    error,
    isFetchedAfterMount,
  } = useReading({ ...read(api.drafts.list, { params }), refetchOnMount: 'always' })
  // What is proposed stays as it was when the dialog was opened, whoever changes the plan or publishes meanwhile.
  const [first, setFirst] = useState<Drafts>()
  if (now && isFetchedAfterMount && !first) setFirst(now)
  const data = first && now
  const [changed, setChanged] = useState<Changed>({})
  const form = { ...formOf(first, folderIds, changed.opening), ...changed }
  const folder_ids = (data?.drafts ?? []).map(({ folder_id }) => folder_id).filter((id) => form.chosen.has(id))
  const isAny = folder_ids.length > 0
  const { data: staged } = useStagedRights(workspaceId)
  const stagedChanges = staged?.changes.length ?? 0
  const isSame = staged !== undefined && form.withStaged === staged.digest
  const withStaged = isSame && stagedChanges > 0 && !form.opening.isPlanned
  const rights = withStaged ? { staged_rights: staged.digest } : {}
  const trial = useReading({
    ...read(api.drafts.publish, { params, body: { folder_ids, dry_run: true, ...rights } }),
    enabled: isAny,
    placeholderData: (before) => before,
  })
  const { isPlanned } = form.opening
  const uninvited = (isAny && trial.data?.uninvited) || 0
  const invites = form.wantsInviting && (isPlanned || uninvited > 0)
  const { publish, plan } = useSubmitting(invites, onClose)
  const submit = () => {
    const body = { folder_ids, ...(invites && { invitation: { message: form.message } }) }
    const opens_at = instantOf(form.opening)
    if (!isPlanned) publish.mutate({ params, body: { ...body, ...rights, dry_run: false } })
    else if (opens_at !== undefined) plan.mutate({ params, body: { ...body, opens_at } })
  }
  return {
    data,
    form,
    change: (next: Changed) => setChanged({ ...changed, ...next }),
    forgetPlan: () => {
      setFirst((before) => before && { ...before, schedule: null })
      setChanged({})
    },
    isAny,
    isSome: folder_ids.length < (data?.drafts.length ?? 0),
    trial: trial.data,
    uninvited,
    invites,
    staged: stagedChanges,
    withStaged,
    isOtherStaged: form.withStaged !== undefined && !isSame,
    chooseStaged: (isChosen: boolean) => setChanged({ ...changed, withStaged: isChosen ? staged?.digest : undefined }),
    isReady: isAny && !trial.isPlaceholderData && !(isPlanned && refusalOf(form.opening)),
    isPending: publish.isPending || plan.isPending,
    isChanged: changed.opening !== undefined || (invites && changed.message !== undefined && changed.message !== ''),
    failure: error ?? publish.error ?? plan.error ?? trial.error,
    submit,
  }
}

function useSubmitting(invites: boolean, onClose: () => void) {
  const toasts = useToasts()
  const publish = useAction(api.drafts.publish, {
    onDone: (published) => {
      onClose()
      toasts.done(publishedWords(published))
      if (invites && published.uninvited > 0) toasts.failed(leftWords(published.uninvited))
    },
  })
  const plan = useAction(api.drafts.setSchedule, {
    onDone: ({ schedule }) => {
      onClose()
      if (schedule) toasts.done(t`Planned: opens on ${openingWords(schedule.opens_at)}.`)
    },
  })
  return { publish, plan }
}

function formOf(data: Drafts | undefined, folderIds: ReadonlySet<number>, opening: Opening | undefined) {
  const plan = data?.schedule?.problem === null ? data.schedule : null
  const usual = { isPlanned: plan !== null, ...(plan ? wallClockOf(new Date(plan.opens_at)) : tomorrowMorning()) }
  const { isPlanned } = opening ?? usual
  const { folder_ids: planned, invitation } = isPlanned && plan ? plan : { folder_ids: [], invitation: null }
  return {
    chosen: meantAmong(data?.drafts ?? [], folderIds, planned),
    opening: usual,
    wantsInviting: invitation !== null,
    withStaged: undefined,
    message: invitation?.message ?? '',
  }
}

/** The drafts that are meant or planned; all of them, if none is. */
function meantAmong(
  drafts: readonly { folder_id: number }[],
  folderIds: ReadonlySet<number>,
  planned: readonly number[],
): ReadonlySet<number> {
  const ids = drafts.map(({ folder_id }) => folder_id)
  const meant = ids.filter((id) => folderIds.has(id) || planned.includes(id))
  return new Set(meant.length > 0 ? meant : ids)
}
