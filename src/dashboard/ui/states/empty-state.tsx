import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTitle } from '../use-title.ts'

interface EmptyStateProps {
  icon: LucideIcon
  title: string
  text?: ReactNode
  /** `h1` if it stands for the whole page. */
  heading?: 'h1' | 'h2'
  /** The next action to offer. */
  action?: ReactNode
}

/** Says why there is nothing to list: empty, nothing matches, or not allowed. */
export function EmptyState({ icon: Icon, title, text, heading = 'h2', action }: EmptyStateProps) {
  useTitle(heading === 'h1' ? title : undefined)
  return (
    <Box
      sx={{
        display: 'grid',
        placeItems: 'center',
        alignContent: 'center',
        gap: 1,
        p: 4,
        minHeight: 240,
        height: '100%',
      }}
    >
      <Box
        aria-hidden
        sx={{
          display: 'grid',
          placeItems: 'center',
          width: 44,
          height: 44,
          borderRadius: 3,
          bgcolor: 'selection.row',
          color: 'primary.main',
        }}
      >
        <Icon size={22} />
      </Box>
      <Typography variant="h2" component={heading} sx={{ mt: 0.5, textAlign: 'center' }}>
        {title}
      </Typography>
      {text && (
        <Typography color="textSecondary" sx={{ maxWidth: 380, textAlign: 'center' }}>
          {text}
        </Typography>
      )}
      {action && <Box sx={{ mt: 1 }}>{action}</Box>}
    </Box>
  )
}
