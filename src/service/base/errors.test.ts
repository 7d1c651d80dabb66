import { expect, test } from 'vitest'
import { ApiError, refusal, unprocessable } from './errors.ts'

test('status and message of a refusal come from the table', () => {
  const refused = refusal('too_many_uploads', { limit: 20 })
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({
    status: 409,
    reason: 'too_many_uploads',
    params: { limit: '20' },
    message: 'You have 20 unfinished uploads here. Finish some of them or give them up.',
  })
})

test('a parameter is text, even if it looks like a placeholder', () => {
  const refused = refusal('user_owns_team', { user: '{team}', team: '$& {user}' })
  expect(refused.message).toBe('{team} owns the team "$& {user}".')
})

test('a value that cannot be accepted names its field', () => {
  expect(unprocessable('group.name', 'of a built-in group is fixed')).toMatchObject({
    status: 422,
    message: 'group.name of a built-in group is fixed.',
    details: [{ field: 'group.name', message: 'of a built-in group is fixed' }],
  })
})

test('a misspelt reason and wrong parameters do not compile', () => {
  // @ts-expect-error `no_veiw` is misspelt.
  expect(() => refusal('no_veiw')).toThrow('undefined')
  const refused = [
    // @ts-expect-error The limit is missing.
    refusal('too_many_uploads'),
    // @ts-expect-error The sentence has a limit, not a number.
    refusal('too_many_uploads', { number: 20 }),
  ]
  expect(refused.length).toBe(2)
})
