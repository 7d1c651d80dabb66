import { useState } from 'react'

/** The input of a field, and the stored value when the user began to type. */
interface Typed {
  text: unknown
  over: unknown
}

export interface Draft<Values> {
  /** The values of the fields: the input, or else the stored value. */
  values: Values
  set: (change: Partial<Values>) => void
  /** Fields with unsaved input. */
  changed: (keyof Values)[]
  /** Changed fields whose stored value is no longer that from which the user began to type. */
  overtaken: (keyof Values)[]
  /** Replaces the input by the stored value. */
  drop: (key: keyof Values) => void
  /**
   * Drops the input that was sent; input typed since then, and that of fields that were not sent, stays. Call it after the
   * stored values were read again.
   */
  saved: (sent: Partial<Values>) => void
}

/**
 * A form over stored values that others may change at any time. A field follows its stored value until the user types
 * into it, and keeps the input from then on. Spaces around a text do not count as a change.
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
  const saved = (sent: Partial<Values>) =>
    setTyped((before) => {
      const since = [...before].filter(([key, { text }]) => !(key in sent) || text !== sent[key])
      return new Map(since.map(([key, each]) => [key, key in sent ? { ...each, over: trimmed(sent[key]) } : each]))
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
