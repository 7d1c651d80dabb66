import { expect, test } from 'vitest'
import { feedActs, type FeedAct, sentenceOf, subjectOf, type Told, verbOf } from '../../../contract/acts.ts'
import type { Activity } from './activities.ts'
import { readAct } from './activity-acts.ts'

const names = [
  'title',
  'name',
  'old',
  'source',
  'target',
  'folder',
  'group',
  'user',
  'former_user',
  'date',
  'time',
  'version',
  'new_name',
  'subject',
  'count',
]
const params = Object.fromEntries(names.map((name) => [name, `The ${name} (a.b) + "c" – {d}\n*`]))

const row = (told: Told<FeedAct>) => ({
  verb: verbOf(told.act),
  subject_type: subjectOf(told.act),
  message: sentenceOf(told),
})

/** Acts of later releases with the sentence of an older act. */
const READ_AS: Partial<Record<FeedAct, FeedAct>> = {
  file_deletion_undone: 'file_restored',
  folder_deletion_undone: 'folder_restored',
  access_expiry_removal_undone: 'access_expiry_set',
}

test.each(feedActs)('%s is read from verb, subject and message', (act) => {
  const told = { act, params } as Told<FeedAct>
  const read = readAct(row(told))
  expect(read.act).toBe(READ_AS[act] ?? act)
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

test('a misspelt act, a wrong parameter and an act of the audit trail do not compile', () => {
  const deed = { subject_id: 1 }
  const acts: Activity[] = [
    { act: 'file_deleted', params: { title: 'a.pdf' }, ...deed },
    // @ts-expect-error `file_delted` is misspelt.
    { act: 'file_delted', params: { title: 'a.pdf' }, ...deed },
    // @ts-expect-error The sentence has a title, not a name.
    { act: 'file_deleted', params: { name: 'a.pdf' }, ...deed },
    // @ts-expect-error The title is missing.
    { act: 'file_deleted', ...deed },
    // @ts-expect-error Only the audit trail has this act.
    { act: 'upload_began', params: { name: 'a.pdf' }, ...deed },
  ]
  expect(acts.length).toBe(5)
})
