import IconButton from '@mui/material/IconButton'
import { useColorScheme } from '@mui/material/styles'
import { Monitor, Moon, Sun, type LucideIcon } from 'lucide-react'

type Mode = 'light' | 'dark' | 'system'

const modes: Record<Mode, { icon: LucideIcon; label: string; next: Mode }> = {
  light: { icon: Sun, label: 'Light', next: 'dark' },
  dark: { icon: Moon, label: 'Dark', next: 'system' },
  system: { icon: Monitor, label: 'As the system', next: 'light' },
}

/** Light, dark, as the system, in turn. */
export function SchemeToggle() {
  const { mode = 'system', setMode } = useColorScheme()
  const { icon: Icon, label, next } = modes[mode]
  return (
    <IconButton
      onClick={() => setMode(next)}
      aria-label={`Colours: ${label.toLowerCase()}`}
      title={`${label}; change to ${modes[next].label.toLowerCase()}`}
    >
      <Icon size={18} />
    </IconButton>
  )
}
