import Typography from '@mui/material/Typography'
import { ShieldCheck } from 'lucide-react'
import type { Transfer } from './change-calls.ts'
import { isFolder, type Entry } from './entries.ts'

/** Who will see what has been moved or copied (decisions, section 5). */
export function RightsNote({
  verb,
  entries,
  to,
}: {
  verb: Transfer
  entries: readonly Entry[]
  to: string | undefined
}) {
  const place = to ?? 'the folder you choose'
  return (
    <Typography color="textSecondary" sx={{ display: 'flex', gap: 1 }}>
      <ShieldCheck size={16} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
      <span>
        {entries.some(isFolder)
          ? `${verb === 'move' ? 'A moved folder' : 'The copy of a folder'} takes the rights of ${place}${
              verb === 'move' ? '; rights set on it or on folders inside it are dropped' : ''
            }.`
          : `Who may see ${place} may see what is put there.`}
      </span>
    </Typography>
  )
}
