import { expect, test } from 'vitest'
import { FIELD_RULES } from '../contract/field-rules.ts'
import { FINDINGS } from '../contract/endpoints/installation/findings.ts'
import { DOCUMENT_REASONS } from '../contract/shown-sentences.ts'
import { isForTests, readSources } from './sources.ts'

const code = readSources(['src/service', 'src/contract'])
  .filter(({ path }) => !isForTests(path) && !/contract\/.*(field-rules|findings|shown-sentences)\.ts$/.test(path))
  .map(({ text }) => text)
  .join('\n')

test('the service says every rule, reason and finding of the tables', () => {
  const rules = Object.keys(FIELD_RULES).filter((rule) => !code.includes(`'${rule}'`))
  const reasons = Object.keys(DOCUMENT_REASONS).filter(
    (reason) => !code.includes(`DOCUMENT_REASONS.${reason}`) && !code.includes(`'${reason}'`),
  )
  const findings = Object.keys(FINDINGS).filter((finding) => !code.includes(`'${finding}'`))
  expect({ rules, reasons, findings }).toEqual({ rules: [], reasons: [], findings: [] })
})
