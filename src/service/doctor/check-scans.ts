import type { Db } from '../db/pool.ts'
import {
  listFaultyTerms,
  listScanningProcesses,
  readUnscannedTerms,
  type ScanningProcess,
} from '../store/health/scan-health.ts'
import { type Finding, finding, named } from './finding.ts'

/** Seconds after which a worker should have scanned a PDF of terms. */
const PATIENCE = 600

/** Whether the processes agree about scans, and what came of the scans of terms. */
export async function checkScans(db: Db): Promise<Finding[]> {
  return [...differencesOf(await listScanningProcesses(db)), ...(await termsOf(db))]
}

function differencesOf(processes: ScanningProcess[]): Finding[] {
  const without = (fact: 'is_scanning' | 'requires_scan') => {
    const names = processes.filter((each) => !each[fact]).map(({ kind, host }) => `${host} (${kind})`)
    return processes.length > names.length && names.length > 0 ? named([...new Set(names)]) : undefined
  }
  const [unscanned, unrequired] = [without('is_scanning'), without('requires_scan')]
  return [
    ...(unscanned === undefined ? [] : [finding('scanner_differs', { names: unscanned })]),
    ...(unrequired === undefined ? [] : [finding('scan_requirement_differs', { names: unrequired })]),
  ]
}

async function termsOf(db: Db): Promise<Finding[]> {
  const { files, age } = await readUnscannedTerms(db)
  const minutes = Math.floor(age / 60)
  return [
    ...(age < PATIENCE ? [] : [finding('terms_unscanned', { files, minutes })]),
    ...inWorkspaces('terms_unscannable', await listFaultyTerms(db, 'unscannable')),
    ...inWorkspaces('terms_infected', await listFaultyTerms(db, 'infected')),
  ]
}

const inWorkspaces = (code: 'terms_unscannable' | 'terms_infected', of: number[]): Finding[] =>
  of.length === 0 ? [] : [finding(code, { files: of.length, ids: named([...new Set(of)]) })]
