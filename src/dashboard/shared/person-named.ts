import type { Person } from './people.ts'

/** A person of whom only the name is known. */
export function personNamed(name: string): Person {
  const at = name.lastIndexOf(' ')
  return { first_name: name.slice(0, Math.max(at, 0)), last_name: name.slice(at + 1), email: name }
}
