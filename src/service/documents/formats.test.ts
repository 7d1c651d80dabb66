import { describe, expect, test } from 'vitest'
import { FORMATS, formatOf, formatOfExtension, pagesOf } from './formats.ts'

describe('the table of formats', () => {
  test('has every type and every extension once', () => {
    const types = FORMATS.map(({ type }) => type)
    const extensions = FORMATS.flatMap((format): readonly string[] => format.extensions)
    expect(new Set(types).size).toBe(types.length)
    expect(new Set(extensions).size).toBe(extensions.length)
    expect([...types, ...extensions].every((each) => each === each.toLowerCase())).toBe(true)
  })

  test('is asked by type and by extension', () => {
    expect(formatOf('text/csv')?.extensions).toEqual(['csv'])
    expect(formatOfExtension('jpeg')?.type).toBe('image/jpeg')
    expect(formatOf('constructor') ?? formatOfExtension('__proto__')).toBeUndefined()
  })

  test('seals and marks exactly what has pages', () => {
    for (const { type, pages } of FORMATS) {
      const { sealed, marked } = pagesOf(type)
      expect([type, sealed, marked !== 'nothing']).toEqual([type, pages !== 'none', pages !== 'none'])
    }
    expect(pagesOf('application/x-unknown')).toEqual(pagesOf('application/zip'))
  })
})
