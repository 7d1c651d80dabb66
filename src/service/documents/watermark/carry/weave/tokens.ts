/** Thrown for a content stream that two readers might understand in different ways. */
export class AmbiguousContent extends Error {}

export const WHITE = 1
export const DELIMITER = 2
/** The kind of each byte: white space, a delimiter, or 0 for a regular character. */
export const KINDS = new Uint8Array(256)
for (const white of [0, 9, 10, 12, 13, 32]) KINDS[white] = WHITE
for (const delimiter of '()<>[]{}/%') KINDS[delimiter.charCodeAt(0)] = DELIMITER

export const [PERCENT, OPEN, CLOSE, LESS, GREATER, SLASH, BACKSLASH] = [0x25, 0x28, 0x29, 0x3c, 0x3e, 0x2f, 0x5c]
export const [OPEN_ARRAY, CLOSE_ARRAY] = [0x5b, 0x5d]

export function afterWhite(content: Buffer, from: number): number {
  let at = from
  while (KINDS[content[at] ?? 0] === WHITE && at < content.length) at++
  return at
}

/** `/OC` and `/#4f#43` are the same name. */
export function nameOf(content: Buffer, from: number, to: number): string {
  const raw = content.toString('latin1', from, to)
  if (!raw.includes('#')) return raw
  return raw.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

export function afterRegular(content: Buffer, from: number): number {
  let at = from
  while (at < content.length && KINDS[content[at] ?? 0] === 0) at++
  return at
}

export function afterComment(content: Buffer, from: number): number {
  let at = from
  while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at++
  return at
}

export function afterString(content: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < content.length; at++) {
    const byte = content[at]
    if (byte === BACKSLASH) at++
    else if (byte === OPEN) depth++
    else if (byte === CLOSE && --depth === 0) return at + 1
  }
  throw new AmbiguousContent('a string without an end')
}

export function afterHexString(content: Buffer, from: number): number {
  for (let at = from + 1; at < content.length; at++) {
    const byte = content[at] ?? 0
    if (byte === GREATER) return at + 1
    const isHex = (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
    if (!isHex && KINDS[byte] !== WHITE) break
  }
  throw new AmbiguousContent('a malformed hexadecimal string')
}
