import type { FINDING_CHECKS } from '../../contract/endpoints/installation/system.ts'

export interface Finding {
  /** The part of the installation that was checked. */
  check: (typeof FINDING_CHECKS)[number]
  state: 'ok' | 'warning' | 'error'
  /** One sentence or two. */
  message: string
  advice?: string
}

export function findingsOf(check: Finding['check']) {
  return {
    ok: (message: string): Finding => ({ check, state: 'ok', message }),
    warning: (message: string, advice: string): Finding => ({ check, state: 'warning', message, advice }),
    error: (message: string, advice: string): Finding => ({ check, state: 'error', message, advice }),
  }
}

/** `3 files`, `1 file`. */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

/** `12.3 GiB`. */
export function bytes(number: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const unit = Math.min(Math.floor(Math.log2(Math.max(number, 1)) / 10), units.length - 1)
  return `${unit === 0 ? number : (number / 1024 ** unit).toFixed(1)} ${units[unit]}`
}
