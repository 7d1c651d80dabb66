import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { LucideIcon } from 'lucide-react'

interface OutcomeProps {
  icon: LucideIcon
  title: string
  text: string
}

export function Outcome({ icon: Icon, title, text }: OutcomeProps) {
  return (
    <Box role="status" sx={{ display: 'grid', gridTemplateColumns: '22px 1fr', columnGap: 1.25, rowGap: 0.5 }}>
      <Icon size={20} aria-hidden />
      <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
      <Typography color="textSecondary" sx={{ gridColumn: 2 }}>
        {text}
      </Typography>
    </Box>
  )
}
