import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Sheet } from './dialogs/sheet.tsx'

interface PartProps {
  title: string
  /** At the right of the title. */
  action?: ReactNode
  children: ReactNode
}

/** A section of a page about one subject. */
export function Part({ title, action, children }: PartProps) {
  return (
    <Sheet aria-label={title} sx={{ m: 0, p: 2, minWidth: 0 }}>
      <Head>
        <Typography variant="h2">{title}</Typography>
        {action}
      </Head>
      {children}
    </Sheet>
  )
}

/** A column of parts; `PartColumns` holds two such columns. */
export const Parts = styled('div')({
  display: 'grid',
  // A wide table scrolls in its part, and does not widen the others.
  gridTemplateColumns: 'minmax(0, 1fr)',
  alignContent: 'start',
  gap: 16,
  minWidth: 0,
})

export const PartColumns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1.25fr) minmax(0, 1fr)',
  gap: 16,
  padding: '0 16px 16px',
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))

/** Lines of a part, each with an icon and a `name`, and below it in `facts` what else is to say. */
export const PartList = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  li: { display: 'flex', alignItems: 'center', gap: 10, minHeight: 38, minWidth: 0 },
  'li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  svg: { flex: 'none', color: theme.vars.palette.text.secondary },
  '.facts': { display: 'grid', flex: 1, minWidth: 0, padding: '5px 0' },
  '.name': { fontWeight: 500, minWidth: 0, overflowWrap: 'anywhere' },
}))

const Head = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 8,
  minHeight: 30,
  marginBottom: 12,
})
