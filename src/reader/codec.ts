export type Bytes = Uint8Array<ArrayBuffer>

export const fromText = (text: string): Bytes => new TextEncoder().encode(text)

/** Decodes base64 or base64url. @throws DOMException for any other text */
export function fromBase64(text: string): Bytes {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** Encodes as base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  const binary = String.fromCharCode(...bytes)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
