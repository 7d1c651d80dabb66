import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

/** Beside the spaces, or below them if the window is narrow. */
export const Aside = styled('div')({
  flex: '1 1 316px',
  minWidth: 0,
  maxWidth: '100%',
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 20,
  '& > [aria-busy=true] ~ *': { visibility: 'hidden' },
})

export function SectionTitle({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <Typography id={id} variant="h3" component="h2" sx={{ px: 0.5, pb: 1 }}>
      {children}
    </Typography>
  )
}

interface AsideSectionProps {
  title: string
  /** Its content is not known yet. */
  busy?: boolean
  children: ReactNode
}

export function AsideSection({ title, busy, children }: AsideSectionProps) {
  return (
    <section aria-label={title} aria-busy={busy}>
      <SectionTitle>{title}</SectionTitle>
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        {children}
      </Paper>
    </section>
  )
}

export const Entries = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& li': { padding: '10px 16px', overflowWrap: 'anywhere' },
  '& li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& strong': { fontWeight: 600 },
  '& a': { color: 'inherit' },
}))
