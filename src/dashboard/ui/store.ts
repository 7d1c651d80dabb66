import { createContext, useContext, type Provider } from 'react'

/**
 * A value that one component owns and that the components below it take. Whoever takes it renders when it changes, so
 * an owner keeps values apart that change at different times, and memoizes each.
 */
export function createStore<Value extends object>(name: string): [owner: Provider<Value>, take: () => Value] {
  const Context = createContext<Value | undefined>(undefined)
  const take = (): Value => {
    const value = useContext(Context)
    if (!value) throw new Error(`No component owns the value of ${name} here`)
    return value
  }
  return [Context.Provider, take]
}
