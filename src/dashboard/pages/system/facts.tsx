import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

export interface Fact {
  name: string
  value: ReactNode
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <List>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </List>
  )
}

const List = styled('dl')(({ theme }) => ({
  margin: 0,
  '& > div': { display: 'flex', justifyContent: 'space-between', gap: 16, padding: '7px 0' },
  '& > div + div': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  dt: { color: theme.vars.palette.text.secondary, whiteSpace: 'nowrap' },
  dd: { margin: 0, minWidth: 0, overflowWrap: 'anywhere', textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
}))
