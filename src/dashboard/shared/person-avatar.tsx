import Avatar from '@mui/material/Avatar'
import { initialsOf, type Person } from './people.ts'

/** Initials on the accent colour, hidden from screen readers: the name is next to the avatar or in its label. */
export function PersonAvatar({ person, size = 24 }: { person: Person; size?: number }) {
  return (
    <Avatar
      aria-hidden
      sx={{
        width: size,
        height: size,
        fontSize: Math.round(size * 0.42),
        fontWeight: 600,
        bgcolor: 'primary.main',
        color: 'primary.contrastText',
      }}
    >
      {initialsOf(person)}
    </Avatar>
  )
}
