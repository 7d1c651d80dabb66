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
  expect(unprocessable('group.name', 'fixed_name')).toMatchObject({
    status: 422,
    message: 'group.name of a built-in group is fixed.',
    details: [{ field: 'group.name', message: 'of a built-in group is fixed', rule: 'fixed_name' }],
  })
})

test('a detail has the rule and the parameters of its sentence as texts', () => {
  expect(unprocessable('parent_id', 'max_depth', { limit: 1000 })).toMatchObject({
    message: 'parent_id is 1000 levels deep already.',
    details: [
      { field: 'parent_id', message: 'is 1000 levels deep already', rule: 'max_depth', params: { limit: '1000' } },
    ],
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

test('a misspelt rule, wrong parameters and a detail without a rule do not compile', () => {
  // @ts-expect-error `requierd` is misspelt.
  expect(() => unprocessable('name', 'requierd')).toThrow('undefined')
  // @ts-expect-error The limit is missing.
  expect(unprocessable('name', 'max_characters').details).toHaveLength(1)
  // @ts-expect-error The sentence has a limit, not a number.
  expect(unprocessable('name', 'max_characters', { number: 20 }).details).toHaveLength(1)
  // @ts-expect-error The detail has no rule.
  expect(new ApiError('invalid_field', {}, { details: [{ field: 'name', message: 'is odd' }] }).details).toHaveLength(1)
})
