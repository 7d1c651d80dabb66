import { t } from '@lingui/core/macro'
/** A key, with what is held along with it. */
export interface Shortcut {
  key: string
  /** Ctrl, or Cmd on a Mac. */
  command?: boolean
  alt?: boolean
}

/** A key as it was pressed. */
export interface Press {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

export function isPressed({ key, command = false, alt = false }: Shortcut, press: Press): boolean {
  // Signs such as "+" and "?" need Shift on many keyboards; for letters and named keys it means something else.
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase()
  if ((press.shiftKey && !isSign) || command !== (press.ctrlKey || press.metaKey) || alt !== press.altKey) return false
  // With Alt a Mac types another letter; the place of the key stays.
  return press.key.toLowerCase() === key.toLowerCase() || (alt && press.code === `Key${key.toUpperCase()}`)
}

const SIGNS: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Backspace: '⌫',
}

/** "Ctrl+A", as a menu shows it. */
export function shortcutText({ key, command, alt }: Shortcut): string {
  return [command && t`Ctrl`, alt && t`Alt`, signOf(key)].filter(Boolean).join('+')
}

function signOf(key: string): string {
  if (key === 'Delete') return t`Del`
  if (key === 'Escape') return t`Esc`
  if (key === 'Enter') return t`Enter`
  if (key === 'Home') return t({ message: 'Home', context: 'key' })
  if (key === 'End') return t({ message: 'End', context: 'key' })
  return SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key)
}

/** Whether a key goes into a field, or to something that has opened over the page. */
export function isTaken({ target }: { target: EventTarget | null }): boolean {
  if (!(target instanceof HTMLElement)) return false
  const inField = target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)
  return inField || target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null
}
