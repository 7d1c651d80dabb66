import { beforeAll, expect, test } from 'vitest'
import { FIELD_RULES, type FieldRule } from '../../../contract/field-rules.ts'
import { api } from '../../../contract/index.ts'
import { DOCUMENT_REASONS } from '../../../contract/shown-sentences.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { speakGerman } from '../../testing/german.ts'
import { call } from '../client.ts'
import { ApiFailure, messageOf } from '../failures.ts'
import { detailInWords, loadServiceWords, reasonInWords } from '../service-words.ts'

beforeAll(loadServiceWords)

test('a refusal is translated and keeps its request id', async () => {
  speakGerman({ 'This is for workspace admins.': 'Das ist den Admins des Raums vorbehalten.' })
  fakeApi().fail(api.groups.get, 403, 'This is for workspace admins.')
  const failure = await call(api.groups.get, { params: { id: 1 }, query: { workspace_id: 3 } }).catch(
    (error: unknown) => error,
  )
  expect(messageOf(failure)).toBe('Das ist den Admins des Raums vorbehalten.')
  expect(failure).toMatchObject({ requestId: 'req-test' })
})

test('a refusal with parameters is translated, and one that the dashboard does not know stays English', () => {
  speakGerman({ '{user} owns the team "{team}".': 'Dem Team „{team}“ steht {user} vor.' })
  const params = { user: 'bob@example.com', team: 'Deal {user}' }
  const english = 'bob@example.com owns the team "Deal {user}".'
  expect(messageOf(new ApiFailure(409, english, { reason: 'user_owns_team', params }))).toBe(
    'Dem Team „Deal {user}“ steht bob@example.com vor.',
  )
  expect(messageOf(new ApiFailure(409, english, { reason: 'unheard_of', params }))).toBe(english)
  expect(messageOf(new ApiFailure(409, english))).toBe(english)
})

const LABELS = { '{name}: {words}': '{name}: {words}', Name: 'Name', 'E-mail address': 'E-Mail-Adresse', File: 'Datei' }

test('the rule of a detail is said together with the label of its field', () => {
  speakGerman({
    ...LABELS,
    'must have at most {limit} characters': 'höchstens {limit} Zeichen',
    'belongs to another user': 'gehört jemand anderem',
  })
  const wrong = (field: string, rule: FieldRule, params = {}) =>
    messageOf(new ApiFailure(422, '', { details: [{ field, message: 'is not read', rule, params }] }))
  expect(wrong('group.name', 'max_characters', { limit: '255' })).toBe('Name: höchstens 255 Zeichen')
  expect(wrong('user.email', 'address_free')).toBe('E-Mail-Adresse: gehört jemand anderem')
})

test('a detail without a rule, or with one that the dashboard does not know, stays English', () => {
  speakGerman(LABELS)
  expect(detailInWords({ field: 'upload_id', message: 'is of no use' })).toBe('upload id: is of no use')
  expect(detailInWords({ field: 'name', message: 'is of no use', rule: 'unheard_of' })).toBe('Name: is of no use')
})

/** Texts that can be told from the English ones: "must be text" becomes "Deutsch: must be text". */
const inGerman = (sentences: readonly string[]) =>
  Object.fromEntries(sentences.map((sentence) => [sentence, `Deutsch: ${sentence}`]))

test.each(Object.keys(FIELD_RULES) as FieldRule[])('the rule %s is said in German', (rule) => {
  speakGerman({ ...LABELS, ...inGerman(Object.values(FIELD_RULES)) })
  const params = Object.fromEntries([...FIELD_RULES[rule].matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '7']))
  const words = FIELD_RULES[rule].replaceAll(/\{\w+\}/g, '7')
  expect(detailInWords({ field: 'name', message: words, rule, params })).toBe(`Name: Deutsch: ${words}`)
})

test('why a document cannot be marked is said in German inside of the sentence of the rule', () => {
  const english = 'names a file that is delivered with a watermark only, and cannot have one: {reason}'
  speakGerman({
    ...LABELS,
    [english]: 'kann kein Wasserzeichen haben: {reason}',
    [DOCUMENT_REASONS.not_scanned_wholly]: 'Der Virenscanner sah nicht alles ({found}).',
  })
  const reason = 'The scanner could not look into all of it (Limits).'
  const detail = { field: 'file_id', message: english.replace('{reason}', reason), rule: 'markable_file' }
  const params = { reason, reason_code: 'not_scanned_wholly', found: 'Limits' }
  expect(detailInWords({ ...detail, params })).toBe(
    'Datei: kann kein Wasserzeichen haben: Der Virenscanner sah nicht alles (Limits).',
  )
  expect(detailInWords({ ...detail, params: { reason } })).toBe(`Datei: kann kein Wasserzeichen haben: ${reason}`)
})

test.each(Object.entries(DOCUMENT_REASONS))('the reason %s is said in German', (reason_code, sentence) => {
  speakGerman(inGerman(Object.values(DOCUMENT_REASONS)))
  const reason_params = { bytes: '7', found: '7' }
  const reason = sentence.replaceAll(/\{\w+\}/g, '7')
  expect(reasonInWords({ reason, reason_code, reason_params })).toBe(`Deutsch: ${reason}`)
  const undrawable = { reason: 'page_undrawable', params: { ...reason_params, problem: reason, reason_code } }
  expect(messageOf(new ApiFailure(422, reason, undrawable))).toBe(`Deutsch: ${reason}`)
})

test('a reason without a code stays as the service says it', () => {
  speakGerman({})
  const reason_params = {}
  expect(reasonInWords({ reason: 'The moon is full.', reason_code: null, reason_params })).toBe('The moon is full.')
  expect(reasonInWords({ reason: 'It rains.', reason_code: 'rain', reason_params })).toBe('It rains.')
  expect(reasonInWords({ reason: '', reason_code: null, reason_params })).toBe('')
})
