import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { DoorOpen, FileSearch, FolderOpen, Lock } from 'lucide-react'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { ApiFailure, messageOf } from '../../../api/failures.ts'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import type { FolderContent } from '../../../shared/listing/entries.ts'

interface EmptyFolderProps {
  content: FolderContent
  mayUpload: boolean
  filter: string
  onClearFilter: () => void
}

/** Says why there are no lines: the filter matches none, the user may not see the content, or the folder is empty. */
export function EmptyFolder({ content, mayUpload, filter, onClearFilter }: EmptyFolderProps) {
  const { abilities, folder, totals } = content
  if (totals.folders + totals.files > 0) {
    return (
      <EmptyState
        icon={FileSearch}
        title={t`Nothing matches`}
        text={t`No folder or file here has “${filter}” in its name.`}
        action={<Button onClick={onClearFilter}>{t`Clear the filter`}</Button>}
      />
    )
  }
  if (folder.id === 0 && !abilities.view) {
    return (
      <EmptyState
        icon={Lock}
        title={t`Nothing is shared with you`}
        text={t`Your groups do not give access to any folder of this workspace. A workspace admin can change that.`}
      />
    )
  }
  if (!abilities.view) {
    return (
      <EmptyState
        icon={DoorOpen}
        title={t`You may only pass through here`}
        text={t`This folder leads to others that you may see. What is in it is not shared with you.`}
      />
    )
  }
  return (
    <EmptyState
      icon={FolderOpen}
      title={t`This folder is empty`}
      text={mayUpload ? t`Drop files or whole folders here, or use Upload.` : t`Nothing has been put here yet.`}
    />
  )
}

interface FailedFolderProps {
  error: Error
  /** The address of the top folder. */
  top: string
  onRetry: () => void
}

export function FailedFolder({ error, top, onRetry }: FailedFolderProps) {
  const code = error instanceof ApiFailure ? error.code : undefined
  const toTheTop = (
    <ButtonLink variant="outlined" to={top}>
      <Trans>Go to the top folder</Trans>
    </ButtonLink>
  )
  if (code === 403)
    return <EmptyState icon={Lock} title={t`You may not see this folder`} text={messageOf(error)} action={toTheTop} />
  if (code === 404) {
    return (
      <EmptyState
        icon={FolderOpen}
        title={t`There is no such folder`}
        text={t`It may have been deleted or moved, or your groups do not give access to it.`}
        action={toTheTop}
      />
    )
  }
  const requestId = error instanceof ApiFailure ? error.requestId : undefined
  return <ErrorState message={messageOf(error)} requestId={requestId} onRetry={onRetry} />
}
