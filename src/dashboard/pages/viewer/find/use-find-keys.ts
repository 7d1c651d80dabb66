import { useEffect } from 'react'
import { useLatest } from '../../../ui/use-latest.ts'

interface FindKeys {
  open: () => void
  close: () => void
  step: (step: 1 | -1) => void
}

/** Takes the browser's own keys for finding, also in fields. Without the right to find they stay the browser's. */
export function useFindKeys(mayFind: boolean, bar: { isOpen: boolean; isTyped: boolean }, commands: FindKeys) {
  const latest = useLatest({ ...bar, commands })
  useEffect(() => {
    if (!mayFind) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isElsewhere(event)) return
      const { isOpen, isTyped, commands } = latest.current
      // After a search that a link brought along, one Escape leads back to its results.
      const command = commandOf(event, isOpen && (isTyped || isInBar(event)))
      if (!command) return
      event.preventDefault()
      if (typeof command === 'string') commands[command]()
      else if (isOpen) commands.step(command)
      else commands.open()
    }
    // Before the keys of the viewer, in which Escape closes the file.
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [mayFind, latest])
}

const isElsewhere = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null

function commandOf(event: KeyboardEvent, mayClose: boolean): 'open' | 'close' | 1 | -1 | undefined {
  const { key, altKey, shiftKey } = event
  const withCommand = event.ctrlKey || event.metaKey
  if (altKey) return undefined
  if (key === 'F3' || (withCommand && key.toLowerCase() === 'g')) return shiftKey ? -1 : 1
  if (withCommand && !shiftKey && key.toLowerCase() === 'f') return 'open'
  return key === 'Escape' && mayClose && !withCommand && !isOtherField(event) ? 'close' : undefined
}

/** Escape in the field of the page number gives that field up. */
const isOtherField = (event: KeyboardEvent) => event.target instanceof HTMLInputElement && !isInBar(event)

const isInBar = ({ target }: KeyboardEvent) => target instanceof Element && target.closest('[role="search"]') !== null
