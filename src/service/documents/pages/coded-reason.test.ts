import { expect, test } from 'vitest'
import { fill } from '../../../contract/sentence.ts'
import { DOCUMENT_REASONS } from '../../../contract/shown-sentences.ts'
import { codedReason, reasonParams } from './coded-reason.ts'

test.each(Object.entries(DOCUMENT_REASONS))('the reason %s has its code', (code, sentence) => {
  const params = Object.fromEntries([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, `${name} (1).`]))
  const reason = fill(sentence, params)
  expect(codedReason(reason)).toEqual({ reason, reason_code: code, reason_params: params })
  expect(reasonParams(reason)).toEqual({ ...params, reason_code: code })
})

test.each(['', 'Preview needs LibreOffice.', 'The document is damaged and cannot be read', 'It has more than the '])(
  'a sentence of no table has no code: %j',
  (reason) => {
    expect(codedReason(reason)).toEqual({ reason, reason_code: null, reason_params: {} })
    expect(reasonParams(reason)).toEqual({})
  },
)
