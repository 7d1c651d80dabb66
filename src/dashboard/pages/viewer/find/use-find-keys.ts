import { useEffect } from 'react'
import { useLatest } from '../../../ui/use-latest.ts'

interface FindKeys {
  open: () => void
  close: () => void
  step: (step: 1 | -1) => void
}

/** Takes the browser's own keys for finding, also in fields. Without the right to find they stay the browser's. */
export function useFindKeys(mayFind: boolean, isOpen: boolean, commands: FindKeys) {
  const latest = useLatest({ isOpen, commands })
  useEffect(() => {
    if (!mayFind) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isElsewhere(event)) return
      const { isOpen, commands } = latest.current
      const command = commandOf(event, isOpen)
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

function commandOf(event: KeyboardEvent, isOpen: boolean): 'open' | 'close' | 1 | -1 | undefined {
  const { key, altKey, shiftKey } = event
  const withCommand = event.ctrlKey || event.metaKey
  if (altKey) return undefined
  if (key === 'F3' || (withCommand && key.toLowerCase() === 'g')) return shiftKey ? -1 : 1
  if (withCommand && !shiftKey && key.toLowerCase() === 'f') return 'open'
  return key === 'Escape' && isOpen && !withCommand && !isOtherField(event) ? 'close' : undefined
}

/** Escape in the field of the page number gives that field up. */
const isOtherField = ({ target }: KeyboardEvent) =>
  target instanceof HTMLInputElement && target.closest('[role="search"]') === null
