import { useRef } from 'react'

const PAUSE = 600

/** Letters typed shortly after one another count as one text. */
export function useTyped(): (letter: string) => string {
  const last = useRef({ text: '', at: 0 })
  return (letter) => {
    const now = performance.now()
    const text = now - last.current.at < PAUSE ? last.current.text + letter : letter
    last.current = { text, at: now }
    return text
  }
}

/** The next line whose name begins with the typed text, from the present one on and round again. */
export function findByName(names: readonly string[], from: number, typed: string): number | undefined {
  const wanted = typed.toLocaleLowerCase()
  // One letter goes on to the next such name; more letters may still mean the present one.
  const start = typed.length === 1 ? from + 1 : from
  for (let step = 0; step < names.length; step += 1) {
    const at = (Math.max(start, 0) + step) % names.length
    if (names[at]?.toLocaleLowerCase().startsWith(wanted)) return at
  }
  return undefined
}

/** A key that types a letter rather than meaning something. */
export const isLetter = (press: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }): boolean =>
  press.key.length === 1 && press.key !== ' ' && !press.ctrlKey && !press.metaKey && !press.altKey
