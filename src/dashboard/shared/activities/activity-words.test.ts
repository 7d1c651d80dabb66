import { expect, test } from 'vitest'
import { FEED_ACTS, feedActs, type FeedAct, sentenceOf, type Told } from '../../../contract/acts.ts'
import { speakGerman } from '../../testing/german.ts'
import { setTimeZone } from '../../ui/words/time-zone.ts'
import { activityInWords } from './activity-words.ts'

const inWords = (told: Told<FeedAct>) =>
  activityInWords({ act: told.act, params: told.params ?? {}, message: 'not translated' })

const PARAMS = { title: 'a', name: 'b', old: 'c', source: 'd', target: 'e', folder: 'f', group: 'g', user: 'h' }
const told = (act: FeedAct) => ({ act, params: { ...PARAMS, former_user: 'i', date: '2027-01-31' } }) as Told<FeedAct>

test('every act is said in English as the service says it, or in words of its own', () => {
  for (const act of feedActs) {
    const { sentence, shown } = FEED_ACTS[act]
    if (sentence === shown) expect(inWords(told(act))).toBe(sentenceOf(told(act)))
    else expect(namesIn(shown)).toEqual(namesIn(sentence))
  }
})

const namesIn = (sentence: string) => sentence.match(/\{\w+\}/g)?.toSorted()

test('settings are said as what they are', () => {
  expect(inWords(told('drm_granted'))).toBe('turned on DRM for g')
  expect(inWords(told('view_watermark_revoked'))).toBe('turned off the watermark on the pages that g views')
  expect(inWords(told('access_expiry_set'))).toBe('set the access of g to end on 31 Jan 2027')
})

test('a planned time is said in the time zone of the reader, and anything else stays as it is', () => {
  const planned = (time: string) => inWords({ act: 'publishing_planned', params: { name: 'Leases', time } })
  setTimeZone('Asia/Tokyo')
  expect(planned('2027-01-31 18:30 UTC')).toBe('planned to publish the folder Leases at 1 Feb 2027, 03:30')
  expect(planned('2027-99-31 18:30 UTC')).toBe('planned to publish the folder Leases at 2027-99-31 18:30 UTC')
  setTimeZone(undefined)
})

test('names, titles and dates are inserted correctly in another word order', () => {
  speakGerman({
    'moved the file "{title}" from "{source}" into the folder "{target}"':
      'hat die Datei „{title}“ von „{source}“ in den Ordner „{target}“ verschoben',
    'added {user} to group {group}': 'hat {user} in die Gruppe {group} aufgenommen',
    'set the access of {group} to end on {date}': 'hat {group} Zugang bis {date} gegeben',
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
