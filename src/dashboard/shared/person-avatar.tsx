import { styled } from '@mui/material/styles'
import { initialsOf, type Person } from './people.ts'

/** Initials on the accent colour, hidden from screen readers: the name is next to the avatar or in its label. */
export function PersonAvatar({ person, size = 24 }: { person: Person; size?: number }) {
  return (
    <Disc aria-hidden style={{ width: size, height: size, fontSize: Math.round(size * 0.42) }}>
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
  background: theme.vars.palette.primary.main,
  color: theme.vars.palette.primary.contrastText,
}))
