import { plural } from '@lingui/core/macro'
import { FINDINGS, isFindingCode } from '../../../contract/endpoints/installation/findings.ts'
import type { Params } from '../../../contract/sentence.ts'
import { say } from '../../api/say.ts'
import { bytes } from '../../ui/words/format.ts'
import type { SystemInfo } from './system-page.tsx'

type Finding = NonNullable<SystemInfo['examination']>['findings'][number]

const COUNTED: Record<string, (count: number) => string> = {
  files: (count) => plural(count, { one: '# file', other: '# files' }),
  documents: (count) => plural(count, { one: '# document', other: '# documents' }),
  trails: (count) => plural(count, { one: '# trail', other: '# trails' }),
  records: (count) => plural(count, { one: '# record', other: '# records' }),
  jobs: (count) => plural(count, { one: '# job', other: '# jobs' }),
  migrations: (count) => plural(count, { one: '# migration', other: '# migrations' }),
  seconds: (count) => plural(count, { one: '# second', other: '# seconds' }),
  minutes: (count) => plural(count, { one: '# minute', other: '# minutes' }),
  days: (count) => plural(count, { one: '# day', other: '# days' }),
  size: bytes,
  free: bytes,
  total: bytes,
}

/** Says a finding in the language of the user; one that this dashboard does not know stays in English. */
export function findingInWords({ code, params, message, advice }: Finding) {
  if (!isFindingCode(code)) return { lang: 'en', message, advice }
  const row = FINDINGS[code]
  return { lang: undefined, message: say(row.message, inWords(params)), advice: row.advice ? say(row.advice) : null }
}

const inWords = (params: Params): Params =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, factInWords(name, value)]))

function factInWords(name: string, value: string): string {
  // An obstacle is a sentence of the contract.
  if (name === 'obstacle') return say(value)
  return Object.hasOwn(COUNTED, name) ? (COUNTED[name]?.(Number(value)) ?? value) : value
}
