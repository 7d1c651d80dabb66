export interface Person {
  first_name: string
  last_name: string
  email: string
}

/** Falls back to the e-mail address, because an invited person has no name yet. */
export function nameOf({ first_name, last_name, email }: Person): string {
  return `${first_name} ${last_name}`.trim() || email
}

export function initialsOf({ first_name, last_name, email }: Person): string {
  const initials = [first_name, last_name].map((name) => [...name.trim()][0] ?? '').join('')
  return (initials || [...email].slice(0, 2).join('')).toUpperCase()
}

/** A person of whom only the name is known. */
export function personNamed(name: string): Person {
  const at = name.lastIndexOf(' ')
  return { first_name: name.slice(0, Math.max(at, 0)), last_name: name.slice(at + 1), email: name }
}
