/** Decodes text of unknown encoding: by its byte order mark, else as UTF-8, else as declared, else as Windows-1252. */
export function decodeText(bytes: Buffer, said?: string): string {
  const text = (withMark(bytes) ??
    utf8(bytes) ??
    inEncoding(bytes, said) ??
    inEncoding(bytes, 'windows-1252')) as string
  return text.replaceAll(/\r\n?/g, '\n')
}

function withMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return inEncoding(bytes, 'utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return inEncoding(bytes, 'utf-16be')
  return undefined
}

function utf8(bytes: Buffer): string | undefined {
  try {
    // `stream`: the last character may be cut off where reading stopped.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

function inEncoding(bytes: Buffer, label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return undefined
  }
}

/** Decodes an HTML page, in the encoding that it declares if it is not UTF-8. */
export function decodeHtml(bytes: Buffer): string {
  const declared = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(bytes.subarray(0, 2048).toString('latin1'))
  return decodeText(bytes, declared?.[1])
}
