export const INT32_MAX = 2_147_483_647

/** Reads an identifier as clients write it, as a number or as digits; undefined for anything else. */
export function readId(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return undefined
  const id = Number(text)
  return id <= INT32_MAX ? id : undefined
}
