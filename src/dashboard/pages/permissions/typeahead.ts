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

/** The next row, going round, whose name begins with the text; -1 for none. A longer text may stay where it is. */
export function findTyped(rows: readonly number[], from: number, text: string, nameOf: (id: number) => string): number {
  const wanted = text.toLocaleLowerCase()
  const first = text.length > 1 ? from : from + 1
  for (let step = 0; step < rows.length; step++) {
    const at = (first + step) % rows.length
    if (
      nameOf(rows[at] as number)
        .toLocaleLowerCase()
        .startsWith(wanted)
    )
      return at
  }
  return -1
}
