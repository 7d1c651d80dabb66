import { useEffect, useState } from 'react'

/** A value as it was when it last stood still for a moment; `key` tells one value from the next. */
export function useSettled<Value>(value: Value, key: string, milliseconds: number): Value {
  const [settled, setSettled] = useState({ key, value })
  useEffect(() => {
    if (key === settled.key) return
    const timer = setTimeout(() => setSettled({ key, value }), milliseconds)
    return () => clearTimeout(timer)
  })
  return settled.value
}
