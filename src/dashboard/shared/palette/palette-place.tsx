import { t } from '@lingui/core/macro'
import { lazy, Suspense, useEffect, type KeyboardEvent as Press } from 'react'
import { isTaken } from '../actions/shortcut.ts'
import { showPalette, typeEarly, usePalette } from './palette-state.ts'

// Loaded when they are first opened.
const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))
const PaletteRefused = lazy(async () => ({ default: (await import('./palette-refused.ts')).PaletteRefused }))
const ShortcutsSheet = lazy(async () => ({ default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet }))

/** Ctrl+K opens the command palette, unless it is off, and ? the list of shortcuts. */
export function PalettePlace({ off }: { off: boolean }) {
  const view = usePalette()
  const refused = off && view === 'commands'
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <Suspense fallback={view === 'commands' && !off && <EarlyField />}>
      {refused && <PaletteRefused />}
      {view === 'commands' && !off && <CommandPalette onClose={() => showPalette(undefined)} />}
      {view === 'shortcuts' && <ShortcutsSheet onClose={() => showPalette(undefined)} />}
    </Suspense>
  )
}

/** Takes the input while the palette is loading, which then continues with it: no key is lost or reaches the page. */
function EarlyField() {
  return (
    <input
      // From now on no other element may receive the input.
      autoFocus
      aria-label={t`Type a command or a name`}
      style={{ position: 'fixed', top: '12vh', insetInline: '20%', zIndex: 1300, padding: 16, font: 'inherit' }}
      onChange={({ target }) => typeEarly({ text: target.value })}
      onKeyDown={onEarlyKey}
    />
  )
}

function onEarlyKey({ key }: Press) {
  if (key === 'Enter') typeEarly({ enter: true })
  if (key === 'Escape') showPalette(undefined)
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
