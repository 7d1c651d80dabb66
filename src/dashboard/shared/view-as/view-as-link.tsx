import { t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import { Eye } from 'lucide-react'
import { Link } from 'react-router-dom'

/** Leads to a place as a person or group sees it. */
export function ViewAsLink({ to, name, className }: { to: string; name: string; className?: string }) {
  const label = t`View as ${name}`
  return (
    <IconButton component={Link} to={to} aria-label={label} title={label} className={className}>
      <Eye size={16} />
    </IconButton>
  )
}
