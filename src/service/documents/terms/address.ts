import type { Value } from '../watermark/carry/pdf-values.ts'

/** Schemes of addresses that a reader may follow. */
const HARMLESS = new Set(['http', 'https', 'mailto', 'tel'])
/** Schemes that run what they carry. */
const RUNNING = new Set(['javascript', 'vbscript', 'data'])
/** A host with its port, without a scheme. */
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+:\d/i
const SCHEME = /^([a-z][a-z0-9+.-]*):/i
/** Readers skip these, wherever they are in a scheme. */
const SKIPPED = /[\p{Cc}\p{Cf}\s]/gu

/** What an address of a PDF leads to; "harmless" for a value that is none. Relative addresses are harmless. */
export function kindOfAddress(value: Value | undefined): 'harmless' | 'foreign' | 'harmful' {
  const address = textOf(value).replace(SKIPPED, '')
  if (/^[\\/]{2}/.test(address)) return 'foreign'
  if (HOST.test(address)) return 'harmless'
  const scheme = SCHEME.exec(address)?.[1]?.toLowerCase()
  if (scheme === undefined || HARMLESS.has(scheme)) return 'harmless'
  return RUNNING.has(scheme) ? 'harmful' : 'foreign'
}

/** Reads a string as qpdf writes it: "u:" and text, or "b:" and hex digits. */
function textOf(value: Value | undefined): string {
  if (typeof value !== 'string') return ''
  if (value.startsWith('b:')) return Buffer.from(value.slice(2), 'hex').toString('latin1')
  return value.startsWith('u:') ? value.slice(2) : ''
}
