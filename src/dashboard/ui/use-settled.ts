import { useEffect, useState } from 'react'

/** Debounces a value; values with the same `key` count as equal. */
export function useSettled<Value>(value: Value, key: string, milliseconds: number): Value {
  const [settled, setSettled] = useState({ key, value })
  useEffect(() => {
    if (key === settled.key) return
    const timer = setTimeout(() => setSettled({ key, value }), milliseconds)
    return () => clearTimeout(timer)
  })
  return settled.value
}
