import Avatar from '@mui/material/Avatar'
import { initialsOf, type Person } from './people.ts'

/** Initials on the accent; the name stands beside it or in the label of what it is in. */
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
