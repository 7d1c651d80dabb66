import { t } from '@lingui/core/macro'
import Link from '@mui/material/Link'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import { nameOf, type Person } from '../../shared/people.ts'
import { PersonAvatar } from '../../shared/person-avatar.tsx'
import { UNPRINTED } from '../../ui/print.ts'

/** Whom the reader may ask before accepting. */
export function ContactCard({ contact, about }: { contact: Person; about: string }) {
  return (
    <Paper
      variant="outlined"
      component="section"
      className={UNPRINTED}
      sx={{ p: 2, display: 'flex', alignItems: 'center', gap: 1.5 }}
    >
      <PersonAvatar person={contact} size={32} />
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography color="textSecondary">{t`A question before you accept?`}</Typography>
        <Link href={`mailto:${encodeURIComponent(contact.email)}?subject=${encodeURIComponent(about)}`}>
          {nameOf(contact)}
        </Link>
      </div>
    </Paper>
  )
}
