import { t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import { lazy, Suspense } from 'react'
import { useReading } from '../../../api/query.ts'
import { copiesQuery } from '../../../shared/sealed-copies/sealed-copies.ts'
import { useWorkspaceIfAny } from '../../../shared/workspace.ts'

// Loaded on demand: few files have sealed copies.
const SealedCopiesList = lazy(async () => ({
  default: (await import('../../../shared/sealed-copies/sealed-copies-list.tsx')).SealedCopiesList,
}))

interface FileSealedCopiesProps {
  workspaceId: number
  fileId: number
  enabled: boolean
}

/** Renders nothing if the file has no sealed copies or the user is not a workspace admin. */
export function FileSealedCopies({ workspaceId, fileId, enabled }: FileSealedCopiesProps) {
  const isAdmin = useWorkspaceIfAny()?.admin === true
  const of = { file_id: fileId }
  const { data } = useReading({ ...copiesQuery(workspaceId, of, 25), enabled: enabled && isAdmin })
  if (!isAdmin || !data?.length) return null
  return (
    <section aria-label={t`Sealed copies`} style={{ display: 'grid', gap: 10 }}>
      <Typography variant="h3">{t`Sealed copies`}</Typography>
      <Suspense>
        <SealedCopiesList workspaceId={workspaceId} of={of} />
      </Suspense>
    </section>
  )
}
