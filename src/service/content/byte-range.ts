import type { Range } from '../blobs/blob-store.ts'

const ONE_RANGE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/

/**
 * Parses a Range header with one range and clips it to the size. Several ranges or an unknown form give undefined: RFC
 * 9110 allows answering with the whole content.
 */
export function parseRange(header: string | undefined, size: number): Range | 'unsatisfiable' | undefined {
  const match = header === undefined ? null : ONE_RANGE.exec(header)
  if (!match) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return start > end ? 'unsatisfiable' : { start, end }
}
