import { plural, t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Layers2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { StagedChange } from '../../../shared/who/staged-rights.ts'
import { Opening } from '../../../ui/states/opening.tsx'

const ReviewDialog = lazy(async () => ({ default: (await import('./review-dialog.tsx')).ReviewDialog }))

interface StagingBarProps {
  workspaceId: number
  changes: readonly StagedChange[]
  /** The grid stages changes and shows the rights as they will be. */
  isStaging: boolean
  onStaging: (isStaging: boolean) => void
}

/** Says that changes are staged and not in force, and leads to their review. */
export function StagingBar({ workspaceId, changes, isStaging, onStaging }: StagingBarProps) {
  const [reviewing, setReviewing] = useState(false)
  return (
    <Bar role="note">
      <Layers2 size={16} aria-hidden />
      <span className="words" role="status">
        <b>{countText(changes.length)}</b>{' '}
        {isStaging ? stagingText(changes.length) : t`The grid shows the access of today.`}
      </span>
      <span className="actions">
        <Button size="small" onClick={() => onStaging(!isStaging)}>
          {isStaging ? t`Show today’s access` : t`Show staged access`}
        </Button>
        <Button size="small" variant="contained" disabled={changes.length === 0} onClick={() => setReviewing(true)}>
          {t`Review and publish`}
        </Button>
      </span>
      <Suspense fallback={<Opening onClose={() => setReviewing(false)} />}>
        {reviewing && <ReviewDialog workspaceId={workspaceId} onClose={() => setReviewing(false)} />}
      </Suspense>
    </Bar>
  )
}

const countText = (changes: number) =>
  changes === 0
    ? t`Nothing is staged yet.`
    : plural(changes, { one: '# change is staged.', other: '# changes are staged.' })

const stagingText = (changes: number) =>
  changes === 0
    ? t`What you change here waits until you publish all of it together.`
    : t`The grid shows the access as it will be once they are published.`

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '6px 10px',
  margin: '0 16px 10px',
  padding: '6px 8px 6px 12px',
  border: `1px dashed ${theme.vars.palette.primary.main}`,
  borderRadius: 8,
  background: theme.vars.palette.selection.row,
  '> svg': { flex: 'none', color: theme.vars.palette.primary.main },
  '.words': { flex: '1 1 260px' },
  b: { fontWeight: 600 },
  '.actions': { display: 'flex', flexWrap: 'wrap', gap: 8 },
}))
