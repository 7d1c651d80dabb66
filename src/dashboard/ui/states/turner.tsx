import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Link, useSearchParams } from 'react-router-dom'

/** Links to the previous and the next page; renders nothing for a single page. */
export function Turner({ page, more }: { page: number; more: boolean }) {
  const [search] = useSearchParams()
  if (page === 1 && !more) return null
  const to = (other: number) => {
    const query = new URLSearchParams(search)
    query.set('page', String(other))
    return { component: Link, to: `?${query}` }
  }
  return (
    <Box component="nav" aria-label={t`Pages`} sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 2, pb: 2 }}>
      <Button variant="outlined" startIcon={<ChevronLeft size={16} />} disabled={page === 1} {...to(page - 1)}>
        <Trans>Previous</Trans>
      </Button>
      <Typography color="textSecondary">
        <Trans>Page {page}</Trans>
      </Typography>
      <Button variant="outlined" endIcon={<ChevronRight size={16} />} disabled={!more} {...to(page + 1)}>
        <Trans>Next</Trans>
      </Button>
    </Box>
  )
}
