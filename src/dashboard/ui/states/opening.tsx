import { t } from '@lingui/core/macro'
import { useLayoutEffect } from 'react'
import { useLatest } from '../use-latest.ts'
import { PendingBar } from './pending-bar.tsx'

/**
 * Covers the page while the code of a dialog or menu is loading, so that no key or click reaches the page. Typed text
 * goes into the field that the dialog focuses, but Enter confirms nothing unseen. Escape or a click cancels.
 */
export function Opening({ onClose }: { onClose: () => void }) {
  const close = useLatest(onClose)
  useLayoutEffect(() => {
    let typed = ''
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      event.stopPropagation()
      if (ctrlKey || metaKey || altKey || /^F\d/.test(key)) return
      event.preventDefault()
      if (key === 'Escape') close.current()
      if (key === 'Backspace') typed = typed.slice(0, -1)
      if (key.length === 1) typed += key
    }
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    window.addEventListener('keydown', onKeyDown, options)
    window.addEventListener('click', () => close.current(), options)
    // The focus stays where it is, because the dialog gives it back to that element.
    window.addEventListener('mousedown', (event) => event.preventDefault(), options)
    return () => {
      listening.abort()
      if (typed !== '') setTimeout(typeInDialog, 0, typed)
    }
  }, [close])
  return (
    <div data-opening role="status" aria-label={t`Loading`} style={{ position: 'fixed', inset: 0, zIndex: 1300 }}>
      <PendingBar />
    </div>
  )
}

function typeInDialog(text: string) {
  const inField = document.activeElement?.matches('[role="dialog"] :is(input, textarea)')
  // Inserts the text as key presses do: with their events, and in place of selected text.
  if (inField) document.execCommand('insertText', false, text)
}
