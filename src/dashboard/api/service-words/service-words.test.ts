import { msg } from '@lingui/core/macro'
import { beforeAll, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { speakGerman } from '../../testing/german.ts'
import { call } from '../client.ts'
import { ApiFailure, messageOf } from '../failures.ts'
import { inWords, loadServiceWords } from '../service-words.ts'
import { reader } from './reader.ts'

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

test('a validation message is translated together with the name of its field', () => {
  speakGerman({
    '{name}: {words}': '{name}: {words}',
    Name: 'Name',
    'E-mail address': 'E-Mail-Adresse',
    'Too big: expected string to have <={limit} characters': 'höchstens {limit} Zeichen',
    'belongs to another user': 'gehört jemand anderem',
  })
  const wrong = (field: string, message: string) =>
    messageOf(new ApiFailure(422, '', { details: [{ field, message }] }))
  expect(wrong('group.name', 'Too big: expected string to have <=255 characters')).toBe('Name: höchstens 255 Zeichen')
  expect(wrong('user.email', 'belongs to another user')).toBe('E-Mail-Adresse: gehört jemand anderem')
  expect(wrong('upload_id', 'is of no use')).toBe('upload id: is of no use')
})

test('an unknown sentence stays unchanged', () => {
  speakGerman({})
  expect(inWords('The moon is in the wrong house.')).toBe('The moon is in the wrong house.')
})

test('special characters of regular expressions match literally', () => {
  const read = reader([msg`Is this (all)?`, msg({ message: '{count} of [many].' })])
  expect(read('Is this (all)?')).toBe('Is this (all)?')
  expect(read('3 of [many].')).toBe('3 of [many].')
  expect(read('3 of many.')).toBeUndefined()
  expect(read('Is this all')).toBeUndefined()
})
