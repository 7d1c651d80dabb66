import { expect, test } from 'vitest'
import { FIELD_RULES } from '../contract/field-rules.ts'
import { DOCUMENT_REASONS } from '../contract/shown-sentences.ts'
import { isForTests, readSources } from './sources.ts'

const code = readSources(['src/service', 'src/contract'])
  .filter(({ path }) => !isForTests(path) && !/contract\/(field-rules|shown-sentences)\.ts$/.test(path))
  .map(({ text }) => text)
  .join('\n')

test('the service says every rule and every reason of the tables', () => {
  const rules = Object.keys(FIELD_RULES).filter((rule) => !code.includes(`'${rule}'`))
  const reasons = Object.keys(DOCUMENT_REASONS).filter(
    (reason) => !code.includes(`DOCUMENT_REASONS.${reason}`) && !code.includes(`'${reason}'`),
  )
  expect({ rules, reasons }).toEqual({ rules: [], reasons: [] })
})
