import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { api } from '../../../../contract/index.ts'
import { ApiFailure } from '../../../api/failures.ts'
import { draftPagesQuery } from '../pdf/terms-pages.ts'
import { PagesDialog } from './version-dialog.tsx'

type Draft = Reply<typeof api.terms.saveDraft>

/** Whether a draft was not saved because it is another one by now. */
export const isOvertaking = (error: unknown): boolean =>
  error instanceof ApiFailure && error.reason === 'terms_draft_changed'

interface OvertakenDraftProps {
  workspaceId: number
  /** The draft that is stored by now; null if it was issued or discarded. */
  other: Draft | null
  onSeen: (sha256: string) => void
  onTake: () => void
}

/** Tells that the draft was saved by somebody else while it was changed here. */
export function OvertakenDraft({ workspaceId, other, onSeen, onTake }: OvertakenDraftProps) {
  const [reads, setReads] = useState(false)
  return (
    <>
      <Alert severity="warning" variant="outlined" sx={{ '& .MuiAlert-message': { minWidth: 0 } }}>
        {other
          ? t`Somebody saved this draft after you had read it. What you typed is still here, and not saved.`
          : t`Somebody issued or discarded this draft after you had read it. What you typed is still here, and not saved.`}
        {other && (
          <div style={{ display: 'flex', flexWrap: 'wrap', gap: 4, margin: '4px 0 -4px -8px' }}>
            <Button size="small" onClick={() => setReads(true)}>
              <Trans>Read the other draft</Trans>
            </Button>
            <Button size="small" onClick={onTake}>
              <Trans>Use it and drop mine</Trans>
            </Button>
          </div>
        )}
      </Alert>
      {reads && other && (
        <PagesDialog
          title={other.title}
          pages={other.pdf ? draftPagesQuery(workspaceId, other.group_id ?? undefined) : undefined}
          hash={other.sha256}
          onShown={onSeen}
          onClose={() => setReads(false)}
        >
          {!other.pdf && (
            <Typography sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{other.text}</Typography>
          )}
        </PagesDialog>
      )}
    </>
  )
}
