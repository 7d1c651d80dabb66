import { useCallback, useEffect, useState } from 'react'

const PAUSE = 250

interface Typed {
  text: string
  folderId: number
  /** The text last seen in the address, and the text last written to it. */
  inUrl: string
  sent: string
}

/**
 * The filter as it is typed. The address follows after a pause: it changes later than the field, and a field bound to
 * the address would lose letters.
 */
export function useFilterText(inUrl: string, write: (text: string) => void, folderId: number) {
  const [typed, setTyped] = useState<Typed>({ text: inUrl, folderId, inUrl, sent: inUrl })
  const current = following(typed, inUrl, folderId)
  if (current !== typed) setTyped(current)

  const { text } = current
  useEffect(() => {
    if (text === inUrl) return undefined
    const timer = setTimeout(() => {
      setTyped((before) => ({ ...before, sent: text }))
      write(text)
    }, PAUSE)
    return () => clearTimeout(timer)
  }, [text, inUrl, write])

  const setText = useCallback((next: string) => setTyped((before) => ({ ...before, text: next })), [])
  return [text, setText] as const
}

/** If the address changed to the text last written, later letters stay. Any other change of the address takes over. */
function following(typed: Typed, inUrl: string, folderId: number): Typed {
  if (typed.folderId !== folderId) return { text: inUrl, folderId, inUrl, sent: inUrl }
  if (typed.inUrl === inUrl) return typed
  return { ...typed, inUrl, text: inUrl === typed.sent ? typed.text : inUrl, sent: inUrl }
}
