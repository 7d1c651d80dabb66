import { useState } from 'react'

/** What is typed, and what was stored when it was begun. */
interface Typed {
  text: unknown
  over: unknown
}

export interface Draft<Values> {
  /** What the fields show: what is typed, and what is stored where nothing is. */
  values: Values
  set: (change: Partial<Values>) => void
  /** In these there is something to save. */
  changed: (keyof Values)[]
  /** In these something else was stored since one began to type. */
  overtaken: (keyof Values)[]
  /** Takes what is stored for what was typed. */
  drop: (key: keyof Values) => void
  /** What was sent is stored; what was typed since then stays. Call it when what is stored has been read again. */
  saved: (sent: Values) => void
}

/**
 * A form over stored values that others may change at any time: a field follows them until something is typed into it,
 * and what is typed stays. Spaces around a text are not worth saving.
 */
export function useDraft<Values extends object>(stored: Values): Draft<Values> {
  type Key = keyof Values
  const [typed, setTyped] = useState<ReadonlyMap<Key, Typed>>(new Map())
  const all = [...typed].filter(([key, { text }]) => !same(text, stored[key]))
  const set = (change: Partial<Values>) => {
    const next = new Map(typed)
    for (const key of Object.keys(change) as Key[]) {
      const begun = all.find(([each]) => each === key)?.[1]
      if (change[key] === stored[key]) next.delete(key)
      else next.set(key, { text: change[key], over: begun ? begun.over : stored[key] })
    }
    setTyped(next)
  }
  const saved = (sent: Values) =>
    setTyped((before) => {
      const since = [...before].filter(([key, { text }]) => text !== sent[key])
      return new Map(since.map(([key, { text }]) => [key, { text, over: trimmed(sent[key]) }]))
    })
  return {
    values: { ...stored, ...Object.fromEntries([...typed].map(([key, { text }]) => [key, text])) },
    set,
    changed: all.map(([key]) => key),
    overtaken: all.filter(([key, { over }]) => over !== stored[key]).map(([key]) => key),
    drop: (key) => setTyped(new Map([...typed].filter(([each]) => each !== key))),
    saved,
  }
}

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value)

const same = (text: unknown, stored: unknown) => text === stored || trimmed(text) === stored
