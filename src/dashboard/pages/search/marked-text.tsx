import { styled } from '@mui/material/styles'
import { TWO_LINES } from '../../ui/words/two-lines.ts'
import type { ReactNode } from 'react'

interface MarkedTextProps {
  text: string
  /** Start and end (exclusive) of each match in UTF-16 code units, in order. */
  marks: readonly { start: number; end: number }[]
}

export function MarkedText({ text, marks }: MarkedTextProps) {
  const pieces: ReactNode[] = []
  let at = 0
  for (const { start, end } of marks) {
    pieces.push(plain(text.slice(at, start)), <mark key={start}>{plain(text.slice(start, end))}</mark>)
    at = end
  }
  return (
    <Text dir="auto">
      {pieces}
      {plain(text.slice(at))}
    </Text>
  )
}

/** Shows where one cell of a table ends and the next begins. */
const plain = (text: string) => text.replaceAll(/[ ]?\t[\t ]*/g, ' │ ')

const Text = styled('p')(({ theme }) => ({
  margin: '2px 0 4px',
  ...TWO_LINES,
  fontSize: '0.8125rem',
  lineHeight: 1.5,
  color: theme.vars.palette.text.secondary,
  '& mark': {
    color: theme.vars.palette.text.primary,
    background: theme.vars.palette.selection.item,
    fontWeight: 600,
    borderRadius: 2,
  },
}))
