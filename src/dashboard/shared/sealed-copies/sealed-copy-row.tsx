import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { fullDate, shortDate } from '../../ui/words/format.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { type SealedCopy, historyOf } from './sealed-copies.ts'
import { SealedOpenings } from './sealed-openings.tsx'

interface SealedCopyRowProps {
  copy: SealedCopy
  /** Shows the file first and then the person; in the list of a file, only the person. */
  byFile: boolean
}

export function SealedCopyRow({ copy, byFile }: SealedCopyRowProps) {
  const [isOpen, setOpen] = useState(false)
  const { copy_id, title, user_name, version, created_at, revoked_at } = copy
  const date = shortDate(created_at)
  const what = byFile ? title : user_name
  return (
    <Row>
      <Words>
        <Typography sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>{what}</Typography>
        <Typography variant="caption" color="textSecondary" component="p" title={fullDate(created_at)}>
          {byFile && `${user_name} · `}
          <Trans>
            version {version}, {date}
          </Trans>
        </Typography>
        <Typography variant="caption" color="textSecondary" component="p">
          {historyOf(copy)}
        </Typography>
      </Words>
      <Buttons>
        {revoked_at !== null && <Chip size="small" color="error" variant="outlined" label={t`Revoked`} />}
        <Button
          variant="text"
          aria-expanded={isOpen}
          aria-controls={`openings-${copy_id}`}
          aria-label={t`Openings of the copy of ${what}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Trans>Openings</Trans>
        </Button>
        <RevokeButton copy={copy} what={what} />
      </Buttons>
      {isOpen && <SealedOpenings id={`openings-${copy_id}`} copy={copy} />}
    </Row>
  )
}

/** Revokes or restores a copy with one click each; asks no question, since either can be undone. */
function RevokeButton({ copy, what }: { copy: SealedCopy; what: string }) {
  const toasts = useToasts()
  const isRevoked = copy.revoked_at !== null
  const change = useAction(isRevoked ? api.sealedCopies.restore : api.sealedCopies.revoke)
  const { copy_id, workspace_id } = copy
  const call = { params: { copy_id }, body: { workspace_id } }
  return (
    <Button
      variant="outlined"
      color={isRevoked ? 'primary' : 'error'}
      loading={change.isPending}
      aria-label={isRevoked ? t`Restore the copy of ${what}` : t`Revoke the copy of ${what}`}
      onClick={() => change.mutate(call, { onError: (error) => toasts.failed(messageOf(error)) })}
    >
      {isRevoked ? t`Restore` : t`Revoke`}
    </Button>
  )
}

/** The buttons wrap below the text in narrow places: in the details of a file, and on phones. */
const Row = styled('li')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 12px',
})
const Words = styled('div')({ flex: '1 1 220px', minWidth: 0 })
const Buttons = styled('div')({ display: 'flex', alignItems: 'center', gap: 6 })
