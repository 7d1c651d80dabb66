import { useRef } from 'react'

/** Milliseconds. */
const PAUSE = 600

/** Joins letters typed in quick succession into one text. */
export function useTyped(): (letter: string) => string {
  const last = useRef({ text: '', at: 0 })
  return (letter) => {
    const now = performance.now()
    const text = now - last.current.at < PAUSE ? last.current.text + letter : letter
    last.current = { text, at: now }
    return text
  }
}

/** Finds the next line whose name begins with the typed text, from the current line on, and wraps around. */
export function findByName(names: readonly string[], from: number, typed: string): number | undefined {
  const wanted = typed.toLocaleLowerCase()
  // A single letter moves on to the next match; more letters may still match the current line.
  const start = typed.length === 1 ? from + 1 : from
  for (let step = 0; step < names.length; step += 1) {
    const at = (Math.max(start, 0) + step) % names.length
    if (names[at]?.toLocaleLowerCase().startsWith(wanted)) return at
  }
  return undefined
}

/** Whether a key types a character rather than triggering an action. */
export const isLetter = (press: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }): boolean =>
  press.key.length === 1 && press.key !== ' ' && !press.ctrlKey && !press.metaKey && !press.altKey
