import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useColorScheme } from '@mui/material/styles'
import { Monitor, Moon, Sun, type LucideIcon } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'

type Mode = 'light' | 'dark' | 'system'

const modes: Record<Mode, { icon: LucideIcon; label: MessageDescriptor; hint: MessageDescriptor; next: Mode }> = {
  light: { icon: Sun, label: msg`Colours: light`, hint: msg`Light; change to dark`, next: 'dark' },
  dark: { icon: Moon, label: msg`Colours: dark`, hint: msg`Dark; change to as the system`, next: 'system' },
  system: {
    icon: Monitor,
    label: msg`Colours: as the system`,
    hint: msg`As the system; change to light`,
    next: 'light',
  },
}

/** Switches in turn between light, dark and the scheme of the system. */
export function SchemeToggle() {
  const { mode = 'system', setMode } = useColorScheme()
  const { icon: Icon, label, hint, next } = modes[mode]
  return (
    <IconButton onClick={() => setMode(next)} aria-label={i18n._(label)} title={i18n._(hint)}>
      <Icon size={18} />
    </IconButton>
  )
}
