import { styled } from '@mui/material/styles'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** A calm remark above the content that it explains, such as why a form is locked. */
export function Note({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <Strip role="note">
      <Icon size={15} aria-hidden />
      <span>{children}</span>
    </Strip>
  )
}

const Strip = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  padding: '8px 12px',
  borderRadius: 8,
  background: theme.vars.palette.selection.row,
  color: theme.vars.palette.text.primary,
  svg: { flex: 'none', color: theme.vars.palette.primary.main },
}))
