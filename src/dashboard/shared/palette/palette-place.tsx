import { lazy, Suspense, useEffect } from 'react'
import { isTaken } from '../actions/shortcut.ts'
import { showPalette, usePalette } from './palette-state.ts'

// Loaded when they are first opened.
const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))
const ShortcutsSheet = lazy(async () => ({ default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet }))

/** Ctrl+K opens the command palette, ? the list of shortcuts. */
export function PalettePlace() {
  const view = usePalette()
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <Suspense>
      {view === 'commands' && <CommandPalette onClose={() => showPalette(undefined)} />}
      {view === 'shortcuts' && <ShortcutsSheet onClose={() => showPalette(undefined)} />}
    </Suspense>
  )
}

function onKeyDown(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
  const command = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'
  const inDialog = target instanceof Element && target.closest('[role="dialog"]') !== null
  if (command && !inDialog) showPalette('commands')
  else if (key === '?' && !ctrlKey && !metaKey && !altKey && !isTaken(event)) showPalette('shortcuts')
  else return
  event.preventDefault()
}
