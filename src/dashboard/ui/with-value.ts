/** An address with one value set, or taken off with undefined; the others stay. For `setSearchParams`. */
export const withValue = (name: string, value: string | undefined) => (before: URLSearchParams) => {
  const next = new URLSearchParams(before)
  if (value === undefined) next.delete(name)
  else next.set(name, value)
  return next
}
