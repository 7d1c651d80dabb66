import type { Finding } from '../../service/doctor/finding.ts'

const COLUMNS = [7, 9] as const

export function printFindings(findings: readonly Finding[]): void {
  for (const { state, check, message, advice } of findings) {
    console.log(`${state.padEnd(COLUMNS[0])}  ${check.padEnd(COLUMNS[1])}  ${message}`)
    if (advice) console.log(`${' '.repeat(COLUMNS[0] + COLUMNS[1] + 4)}→ ${advice}`)
  }
}

export const hasErrors = (findings: readonly Finding[]): boolean => findings.some(({ state }) => state === 'error')
