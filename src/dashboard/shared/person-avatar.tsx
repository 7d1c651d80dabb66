import { styled } from '@mui/material/styles'
import type { CSSProperties } from 'react'
import { initialsOf, nameOf, type Person } from './people.ts'

/** The accent colour and six others in which white letters, or dark ones in the dark scheme, are easy to read. */
const HUES = [187, 215, 260, 320, 12, 35, 85] as const

/**
 * Initials on one of seven colours, always the same for a name. Hidden from screen readers: the name is next to the avatar
 * or in its label.
 */
export function PersonAvatar({ person, size = 24 }: { person: Person; size?: number }) {
  const colour = { '--hue': hueOf(nameOf(person)) } as CSSProperties
  return (
    <Disc aria-hidden style={{ width: size, height: size, fontSize: Math.round(size * 0.42), ...colour }}>
      {initialsOf(person)}
    </Disc>
  )
}

const Disc = styled('div')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  flexShrink: 0,
  borderRadius: '50%',
  overflow: 'hidden',
  userSelect: 'none',
  lineHeight: 1,
  fontWeight: 600,
  background: 'hsl(var(--hue) 48% 30%)',
  color: '#fff',
  ...theme.applyStyles('dark', { background: 'hsl(var(--hue) 48% 72%)', color: '#0b1a1c' }),
}))

function hueOf(name: string): number {
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7)
  return HUES[sum % HUES.length] ?? HUES[0]
}
