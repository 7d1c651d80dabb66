/** Sets one value of the query, or removes it if undefined; the others stay. For `setSearchParams`. */
export const withValue = (name: string, value: string | undefined) => (before: URLSearchParams) => {
  const next = new URLSearchParams(before)
  if (value === undefined) next.delete(name)
  else next.set(name, value)
  return next
}
