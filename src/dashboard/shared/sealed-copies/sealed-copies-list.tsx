import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { messageOf } from '../../api/failures.ts'
import { useReadings } from '../../api/query.ts'
import { NotRead } from '../../ui/states/not-read.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { copiesQuery, type CopiesOf, PAGE_SIZE } from './sealed-copies.ts'
import { SealedCopyRow } from './sealed-copy-row.tsx'

interface SealedCopiesListProps {
  workspaceId: number
  of: CopiesOf
}

/** Sealed copies, newest first, with their openings and a button to revoke each. For admins. */
export function SealedCopiesList({ workspaceId, of }: SealedCopiesListProps) {
  const [pages, setPages] = useState(1)
  const answers = useReadings({
    queries: Array.from({ length: pages }, (_, at) => copiesQuery(workspaceId, of, at + 1)),
  })
  // A copy that is made between two answers appears in both.
  const byId = new Map(answers.flatMap(({ data }) => data ?? []).map((copy) => [copy.copy_id, copy]))
  const unread = answers.find(({ data }) => !data)
  if (byId.size === 0 && !unread) {
    return <Typography color="textSecondary">{t`No sealed copy has been made yet.`}</Typography>
  }
  return (
    <>
      {byId.size > 0 && (
        <List aria-label={t`Sealed copies`}>
          {[...byId.values()].map((copy) => (
            <SealedCopyRow key={copy.copy_id} copy={copy} byFile={'group_id' in of} />
          ))}
        </List>
      )}
      {unread?.error && <NotRead reason={messageOf(unread.error)} onRetry={() => void unread.refetch()} />}
      {unread && !unread.error && <SkeletonRows rows={2} height={46} columns="minmax(0, 1fr) 60px" />}
      {answers.at(-1)?.data?.length === PAGE_SIZE && (
        <Button variant="text" sx={{ justifySelf: 'start' }} onClick={() => setPages(pages + 1)}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </>
  )
}

const List = styled('ul')({ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 12 })
