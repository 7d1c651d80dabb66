import { t } from '@lingui/core/macro'
import { useEffect, useMemo, useRef } from 'react'
import { useOffers, type KeyHint } from '../../shared/actions/offers.ts'
import { isTaken, shortcutText } from '../../shared/actions/shortcut.ts'

/** Number of results that Page Up and Page Down move by. */
const SCREEN = 10

interface Ways {
  /** Goes to the next or the previous page of results. */
  turn: (step: 1 | -1) => void
  back: () => void
}

/** Marks the elements that the arrow keys go through. */
export const RESULT = { 'data-result': '' }

/** The arrow keys go through the results wherever the focus is, except in fields and menus. Enter follows the link. */
export function useResultKeys(ways: Ways) {
  const latest = useRef(ways)
  useEffect(() => {
    latest.current = ways
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return
      if (press(event.key, latest.current)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  const title = t`Search`
  useOffers(useMemo(() => ({ title, offers: [], keys: hints() }), [title]))
}

function press(key: string, { turn, back }: Ways): boolean {
  if (key === 'Escape') back()
  else if (key === 'ArrowRight' || key === 'ArrowLeft') turn(key === 'ArrowRight' ? 1 : -1)
  else return go(key)
  return true
}

function go(key: string): boolean {
  const results = [...document.querySelectorAll<HTMLElement>('[data-result]')]
  const at = results.findIndex((each) => each === document.activeElement)
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? results.length - 1 : at - 1,
    PageDown: at + SCREEN,
    PageUp: at - SCREEN,
    Home: 0,
    End: results.length - 1,
  }
  const next = steps[key]
  if (next === undefined || results.length === 0) return false
  results[Math.min(results.length - 1, Math.max(0, next))]?.focus()
  return true
}

const hints = (): KeyHint[] => [
  { keys: `↑ ↓`, label: t`Go through the results` },
  { keys: shortcutText({ key: 'Enter' }), label: t`Open` },
  { keys: `← →`, label: t`Results before and after` },
  { keys: shortcutText({ key: 'Escape' }), label: t`Back` },
]
