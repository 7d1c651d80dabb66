import { t } from '@lingui/core/macro'
import MenuItem from '@mui/material/MenuItem'
import Pagination from '@mui/material/Pagination'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { PAGE_SIZES } from './activity-filters.ts'

interface ActivityPagesProps {
  /** "4,812 files". */
  total: string
  pagination: { total_items: number; total_pages: number; page: number; per_page: number }
  onPage: (page: number) => void
  onSize: (size: number) => void
}

export function ActivityPages({ pagination, total, onPage, onSize }: ActivityPagesProps) {
  return (
    <Row>
      <span>{total}</span>
      {pagination.total_pages > 1 && (
        <Pagination
          size="small"
          count={pagination.total_pages}
          page={pagination.page}
          onChange={(_event, page) => onPage(page)}
          aria-label={t`Pages`}
        />
      )}
      <PageSize value={pagination.per_page} onChange={onSize} />
    </Row>
  )
}

export function PageSize({ value, onChange }: { value: number; onChange: (size: number) => void }) {
  return (
    <TextField
      select
      label={t`Per page`}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
      sx={{ width: 96 }}
    >
      {PAGE_SIZES.map((size) => (
        <MenuItem key={size} value={size}>
          {size}
        </MenuItem>
      ))}
    </TextField>
  )
}

export const Row = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 12,
  padding: '0 16px 16px',
  color: theme.vars.palette.text.secondary,
}))
