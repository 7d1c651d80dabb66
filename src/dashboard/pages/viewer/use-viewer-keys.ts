import { useEffect, useRef } from 'react'
import { isTaken } from '../../shared/actions/shortcut.ts'
import { viewActionFor, type ViewCommands, type ViewSituation } from './viewer-actions.ts'

/** Share of the window that Page Down scrolls by; the lines read last stay in view. */
const SCREEN = 0.9
const LINE = 60

/** Handles keys wherever the focus is, except in fields and menus. */
export function useViewerKeys(situation: ViewSituation, commands: ViewCommands, scroller: HTMLElement | null) {
  const latest = useRef({ situation, commands, scroller })
  useEffect(() => {
    latest.current = { situation, commands, scroller }
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTaken(event)) return
      if (press(event, latest.current)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

interface Viewer {
  situation: ViewSituation
  commands: ViewCommands
  scroller: HTMLElement | null
}

function press(event: KeyboardEvent, { situation, commands, scroller }: Viewer): boolean {
  // "=" is "+" without Shift on many keyboards. With Ctrl both are the browser's own zoom.
  const key = event.key === '=' ? '+' : event.key
  const { code, ctrlKey, metaKey, altKey, shiftKey } = event
  // These keys scroll a page that is wider than the window.
  const sideways = key === 'ArrowLeft' || key === 'ArrowRight'
  if (sideways && scroller && scroller.scrollWidth > scroller.clientWidth) return false
  const action = viewActionFor({ key, code, ctrlKey, metaKey, altKey, shiftKey }, situation)
  if (action) action.run(commands, undefined)
  else if (ctrlKey || metaKey || altKey || !scroller) return false
  else return scroll(key, scroller, situation, commands)
  return true
}

function scroll(key: string, scroller: HTMLElement, { fits }: ViewSituation, { turnPage }: ViewCommands): boolean {
  const step = { PageDown: 1, PageUp: -1 }[key]
  const line = { ArrowDown: LINE, ArrowUp: -LINE }[key]
  if (step !== undefined && fits) turnPage(step as 1 | -1)
  else if (step !== undefined) scroller.scrollBy({ top: step * SCREEN * scroller.clientHeight })
  else if (line !== undefined) scroller.scrollBy({ top: line })
  else return false
  return true
}
