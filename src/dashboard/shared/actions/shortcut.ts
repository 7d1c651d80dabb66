import { t } from '@lingui/core/macro'
/** A key with its modifiers. */
export interface Shortcut {
  key: string
  /** Ctrl, or Cmd on a Mac. */
  command?: boolean
  alt?: boolean
}

/** The fields of a keyboard event. */
export interface Press {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

export function isPressed({ key, command = false, alt = false }: Shortcut, press: Press): boolean {
  // Symbols such as "+" and "?" need Shift on many keyboards; with letters and named keys, Shift is another shortcut.
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase()
  if ((press.shiftKey && !isSign) || command !== (press.ctrlKey || press.metaKey) || alt !== press.altKey) return false
  // With Alt a Mac types another letter, so compare the physical key.
  return press.key.toLowerCase() === key.toLowerCase() || (alt && press.code === `Key${key.toUpperCase()}`)
}

const SIGNS: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Backspace: '⌫',
}

/** Returns the shortcut as a menu shows it, such as "Ctrl+A". */
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

/** Whether a key press belongs to a field or to an open dialog, menu or list box. */
export function isTaken({ target }: { target: EventTarget | null }): boolean {
  if (!(target instanceof HTMLElement)) return false
  const inField = target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)
  return inField || target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null
}
