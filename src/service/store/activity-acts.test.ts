import { expect, test } from 'vitest'
import { feedActs, type FeedAct, sentenceOf, subjectOf, type Told, verbOf } from '../../contract/acts.ts'
import { readAct } from './activity-acts.ts'

const names = ['title', 'name', 'old', 'source', 'target', 'folder', 'group', 'user', 'former_user', 'date']
const params = Object.fromEntries(names.map((name) => [name, `The ${name} (a.b) + "c" – {d}\n*`]))

const row = (told: Told<FeedAct>) => ({
  verb: verbOf(told.act),
  subject_type: subjectOf(told.act),
  message: sentenceOf(told),
})

test.each(feedActs)('%s is read from verb, subject and message', (act) => {
  const told = { act, params } as Told<FeedAct>
  const read = readAct(row(told))
  expect(read.act).toBe(act)
  expect(sentenceOf(read as Told<FeedAct>)).toBe(sentenceOf(told))
  expect(params).toMatchObject(read.params)
})

test('the name of an erased user is not read', () => {
  expect(readAct(row({ act: 'group_member_added', params: { group: 'Bidders' } } as Told<FeedAct>))).toEqual({
    act: 'group_member_added',
    params: { group: 'Bidders' },
  })
})

test('a message that fits no act of its verb and subject has none', () => {
  const viewed = { verb: 'viewed', subject_type: 'Asset', message: 'viewed at noon' }
  expect(readAct(viewed)).toEqual({ act: null, params: {} })
  expect(readAct({ ...viewed, message: 'viewed this workspace' }).act).toBeNull()
})
