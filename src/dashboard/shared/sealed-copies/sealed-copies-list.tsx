import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { messageOf } from '../../api/failures.ts'
import { useReading } from '../../api/query.ts'
import { NotRead } from '../../ui/states/not-read.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { copiesQuery, type CopiesOf, PAGE_SIZES } from './sealed-copies.ts'
import { SealedCopyRow } from './sealed-copy-row.tsx'

interface SealedCopiesListProps {
  workspaceId: number
  of: CopiesOf
}

/** Sealed copies, newest first, with their openings and a button to revoke each. For admins. */
export function SealedCopiesList({ workspaceId, of }: SealedCopiesListProps) {
  const [step, setStep] = useState(0)
  const size = PAGE_SIZES[step] ?? 100
  const { data, error, refetch } = useReading({
    ...copiesQuery(workspaceId, of, size),
    placeholderData: (before) => before,
  })
  if (!data && error) return <NotRead reason={messageOf(error)} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows rows={2} height={46} columns="minmax(0, 1fr) 60px" />
  if (data.length === 0) {
    return <Typography color="textSecondary">{t`No sealed copy has been made yet.`}</Typography>
  }
  return (
    <>
      <List aria-label={t`Sealed copies`}>
        {data.map((copy) => (
          <SealedCopyRow key={copy.copy_id} copy={copy} byFile={'group_id' in of} />
        ))}
      </List>
      {data.length === size && step < PAGE_SIZES.length - 1 && (
        <Button variant="text" sx={{ justifySelf: 'start' }} onClick={() => setStep(step + 1)}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </>
  )
}

const List = styled('ul')({ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 12 })
