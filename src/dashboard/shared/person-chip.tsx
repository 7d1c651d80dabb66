import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { nameOf, type Person } from './people.ts'
import { PersonAvatar } from './person-avatar.tsx'

/** A person in a row: avatar, name, and the e-mail address unless it stands in for the name. */
export function PersonChip({ person, size = 28 }: { person: Person; size?: number }) {
  const name = nameOf(person)
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, minWidth: 0 }}>
      <PersonAvatar person={person} size={size} />
      <Box sx={{ minWidth: 0 }}>
        <Typography noWrap title={name} sx={{ fontWeight: 500, lineHeight: 1.35 }}>
          {name}
        </Typography>
        {name !== person.email && (
          <Typography
            noWrap
            title={person.email}
            variant="caption"
            color="textSecondary"
            sx={{ display: 'block', lineHeight: 1.3 }}
          >
            {person.email}
          </Typography>
        )}
      </Box>
    </Box>
  )
}
