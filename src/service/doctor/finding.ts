import type { FINDING_CHECKS } from '../../contract/endpoints/installation/system.ts'
import { type FindingCode, FINDINGS } from '../../contract/endpoints/installation/findings.ts'
import { fill, type Params, type ParamsArgument } from '../../contract/sentence.ts'

export interface Finding {
  /** The part of the installation that was checked. */
  check: (typeof FINDING_CHECKS)[number]
  state: 'ok' | 'warning' | 'error'
  /** One sentence or two. */
  message: string
  advice?: string
  /** The row of the contract's findings that the message comes from; absent for other sentences. */
  code?: FindingCode
  /** The facts that the message names. */
  params?: Params
}

/** Makes findings whose sentences are in no table. */
export function findingsOf(check: Finding['check']) {
  return {
    ok: (message: string): Finding => ({ check, state: 'ok', message }),
    warning: (message: string, advice: string): Finding => ({ check, state: 'warning', message, advice }),
    error: (message: string, advice: string): Finding => ({ check, state: 'error', message, advice }),
  }
}

type Facts<C extends FindingCode> = ParamsArgument<(typeof FINDINGS)[C]['message']>

export function finding<C extends FindingCode>(code: C, ...[facts]: Facts<C>): Finding {
  const { check, state, message, advice } = FINDINGS[code]
  const given = Object.entries<string | number>(facts ?? {})
  const english = Object.fromEntries(given.map(([name, value]) => [name, inEnglish(name, value)]))
  const params = Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
  return { check, state, message: fill(message, english), ...(advice !== undefined && { advice }), code, params }
}

const inEnglish = (name: string, value: string | number): string => {
  if (typeof value === 'string') return value
  return ['size', 'free', 'total'].includes(name) ? bytes(value) : count(value, name.replace(/s$/, ''))
}

const NAMED = 5

/** The first of them: `1, 2, 3, 4, 5, …`. */
export const named = (all: readonly (string | number)[]): string =>
  all.slice(0, NAMED).join(', ') + (all.length > NAMED ? ', …' : '')

/** `3 files`, `1 file`. */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

/** `12.3 GiB`. */
export function bytes(number: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const unit = Math.min(Math.floor(Math.log2(Math.max(number, 1)) / 10), units.length - 1)
  return `${unit === 0 ? number : (number / 1024 ** unit).toFixed(1)} ${units[unit]}`
}
