import { expect, test } from 'vitest'
import { feedActs, type FeedAct, sentenceOf, type Told } from '../../contract/acts.ts'
import { speakGerman } from '../testing/german.ts'
import { activityInWords } from './activity-words.ts'

const inWords = (told: Told<FeedAct>) =>
  activityInWords({ act: told.act, params: told.params ?? {}, message: 'not translated' })

test('every act is said in English as the service says it', () => {
  const params = { title: 'a', name: 'b', old: 'c', source: 'd', target: 'e', folder: 'f', group: 'g', user: 'h' }
  for (const act of feedActs.filter((act) => act !== 'access_expiry_set')) {
    const told = { act, params: { ...params, former_user: 'i' } } as Told<FeedAct>
    expect(inWords(told)).toBe(sentenceOf(told))
  }
})

test('names, titles and dates are inserted correctly in another word order', () => {
  speakGerman({
    'moved the file "{title}" from "{source}" into the folder "{target}"':
      'hat die Datei „{title}“ von „{source}“ in den Ordner „{target}“ verschoben',
    'added {user} to group {group}': 'hat {user} in die Gruppe {group} aufgenommen',
    'set workspace access to expire on {date} for group: {group}': 'hat {group} Zugang bis {date} gegeben',
    'an erased user': 'eine gelöschte Person',
    'All Folders': 'Alle Ordner',
  })
  const names = { title: 'a "b".pdf', source: 'All Folders', target: '$& {x}' }
  expect(inWords({ act: 'file_moved', params: names })).toBe(
    'hat die Datei „a "b".pdf“ von „Alle Ordner“ in den Ordner „$& {x}“ verschoben',
  )
  const erased = { group: 'Bidders' }
  expect(activityInWords({ act: 'group_member_added', params: erased, message: '' })).toBe(
    'hat eine gelöschte Person in die Gruppe Bidders aufgenommen',
  )
  expect(inWords({ act: 'access_expiry_set', params: { date: '2027-01-31', group: 'Bidders' } })).toBe(
    'hat Bidders Zugang bis 31. Jan. 2027 gegeben',
  )
})

test('a title keeps its letters, even those of a placeholder or of the root folder', () => {
  speakGerman({ 'viewed the file: {title}': 'hat {title} angesehen', 'All Folders': 'Alle Ordner' })
  expect(inWords({ act: 'file_viewed', params: { title: '{user}' } })).toBe('hat {user} angesehen')
  expect(inWords({ act: 'file_viewed', params: { title: 'All Folders' } })).toBe('hat All Folders angesehen')
})

test('an act that the dashboard does not know keeps the words of the service', () => {
  const unknown = { act: 'file_shredded', params: { title: 'a.pdf' }, message: 'shredded the file: a.pdf' }
  expect(activityInWords(unknown)).toBe('shredded the file: a.pdf')
  expect(activityInWords({ ...unknown, act: null, params: {} })).toBe('shredded the file: a.pdf')
})
