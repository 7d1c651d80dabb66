import { styled } from '@mui/material/styles'
import { useState, type ReactNode } from 'react'

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export const Facts = styled('dl')(({ theme }) => ({
  display: 'grid',
  gap: 10,
  margin: 0,
  paddingTop: 16,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  dt: { fontSize: '0.75rem', color: theme.vars.palette.text.secondary },
  dd: { margin: 0, overflowWrap: 'anywhere' },
}))

/** Facts that few people need, shown on request. They do not exist before, so that nothing hidden is updated. */
export function FoldedFacts({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <Folded open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {open && <Facts>{children}</Facts>}
    </Folded>
  )
}

const Folded = styled('details')(({ theme }) => ({
  paddingTop: 16,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  summary: { cursor: 'pointer', fontWeight: 500 },
  dl: { borderTop: 0, paddingTop: 12 },
}))
