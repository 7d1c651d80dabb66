import type { Matrix } from '../plan/placement.ts'
import type { Box } from './weave/matrix.ts'

/** A value as qpdf writes it in JSON: names are "/Name", references "3 0 R". */
export type Value = string | number | boolean | null | Value[] | Dictionary
export interface Dictionary {
  [key: string]: Value
}
export interface Entry {
  value?: Value
  /** `data` is in base64; `datafile` is the path of a file. */
  stream?: { dict: Dictionary; data?: string; datafile?: string }
}
export interface Dump {
  qpdf: [header: Dictionary, objects: Record<string, Entry>]
}

/** Reads the values of a document, behind any references. */
export interface Values {
  resolve(value: Value | undefined): Value | undefined
  /** Returns an empty dictionary for any other value. */
  dictionary(value: Value | undefined): Dictionary
  /** Returns an empty list for any other value. */
  list(value: Value | undefined): Value[]
  /** Returns a rectangle with its lower left corner first; undefined for any other value. */
  boxOf(value: Value | undefined): Box | undefined
  /** Takes missing numbers from the identity. */
  matrixOf(value: Value | undefined): Matrix
  /** Returns the dictionary of the stream behind a reference. */
  streamOf(reference: Value | undefined): Dictionary | undefined
}

const MAX_DEPTH = 100

export function createValues(objects: Dump['qpdf'][1]): Values {
  const resolve = (value: Value | undefined, depth = 0): Value | undefined => {
    if (typeof value !== 'string' || depth > MAX_DEPTH || !/^\d+ \d+ R$/.test(value)) return value
    return resolve(objects[`obj:${value}`]?.value, depth + 1)
  }
  const dictionary = (value: Value | undefined): Dictionary => {
    const found = resolve(value)
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : {}
  }
  const list = (value: Value | undefined): Value[] => {
    const found = resolve(value)
    return Array.isArray(found) ? found : []
  }
  const boxOf = (value: Value | undefined): Box | undefined => {
    const numbers = list(value).map((each) => resolve(each))
    const [a, b, c, d] = numbers
    if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
      return undefined
    return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
  }

  function matrixOf(value: Value | undefined): Matrix {
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = list(value).map((each) => Number(resolve(each)))
    return [a, b, c, d, e, f]
  }

  const streamOf = (reference: Value | undefined): Dictionary | undefined =>
    typeof reference === 'string' ? objects[`obj:${reference}`]?.stream?.dict : undefined

  return { resolve: (value) => resolve(value), dictionary, list, boxOf, matrixOf, streamOf }
}
