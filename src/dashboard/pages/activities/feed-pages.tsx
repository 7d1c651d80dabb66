import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { PageSize, Row } from './activity-pages.tsx'

interface FeedPagesProps {
  isNewest: boolean
  /** The `after` of the next page; null on the last one. */
  next: string | null
  /** Turns to the page after an event, or to the newest for "". */
  onTurn: (after: string) => void
  size: number
  onSize: (size: number) => void
}

/** Leads to older events and back to the newest; the browser leads back page by page. */
export function FeedPages({ isNewest, next, onTurn, size, onSize }: FeedPagesProps) {
  return (
    <Row>
      <span>
        {!isNewest && (
          <Button startIcon={<ArrowLeft size={16} />} onClick={() => onTurn('')}>
            <Trans>Newest</Trans>
          </Button>
        )}
        {next !== null && (
          <Button endIcon={<ArrowRight size={16} />} onClick={() => onTurn(next)}>
            <Trans>Older</Trans>
          </Button>
        )}
      </span>
      <PageSize value={size} onChange={onSize} />
    </Row>
  )
}
