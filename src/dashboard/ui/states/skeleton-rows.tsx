import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Bone } from './bone.tsx'
import { late } from './late.ts'

interface SkeletonRowsProps {
  rows?: number
  height?: number
  /** Widths of the expected columns, as CSS grid tracks: "24px 1fr 90px". */
  columns?: string
}

/** The outline of the expected list; appears only after 150 ms, so that a quick reply causes no flicker. */
export function SkeletonRows({ rows = 12, height = 38, columns = '24px minmax(0, 1fr) 96px' }: SkeletonRowsProps) {
  const cells = columns.split(/\s+(?![^(]*\))/).length
  return (
    <Rows role="status" aria-label={t`Loading`}>
      {Array.from({ length: rows }, (_, row) => (
        <Row key={row} style={{ height, gridTemplateColumns: columns }}>
          {Array.from({ length: cells }, (_, cell) => (
            <Bone key={cell} style={{ height: 12, width: cell === 1 ? `${45 + ((row * 37) % 40)}%` : '100%' }} />
          ))}
        </Row>
      ))}
    </Rows>
  )
}

const Rows = styled('div')({ animation: late })

const Row = styled('div')(({ theme }) => ({
  display: 'grid',
  alignItems: 'center',
  gap: 16,
  padding: '0 16px',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))
