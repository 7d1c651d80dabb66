import { expect, test } from 'vitest'
import type { AnyEndpoint } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { fakeApi } from '../testing/fake-api.ts'
import { call, send } from './client.ts'
import { ApiFailure, failureOf, messageOf } from './failures.ts'

async function failureFrom(promise: Promise<unknown>): Promise<ApiFailure> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof ApiFailure)) throw new Error('The call was meant to fail')
  return error
}

test('a call goes to the path of the contract with its parameters', async () => {
  const server = fakeApi().on(api.files.search, [])
  await call(api.files.search, { query: { workspace_id: 3, q: 'lease & co' } })
  expect(server.calls).toEqual(['GET /api/v1/files/search?workspace_id=3&q=lease%20%26%20co'])
})

test('a call of an endpoint as the build keeps it returns the reply', async () => {
  // tools/contract-data.ts drops the schemas.
  const asBuilt = <E extends AnyEndpoint>({ method, path, jsonLines }: E) => ({ method, path, jsonLines }) as E
  const answer = (text: string) => (globalThis.fetch = () => Promise.resolve(new Response(text)))
  answer('{"workspaces":[]}')
  expect(await call(asBuilt(api.users.workspaces))).toEqual({ workspaces: [] })
  const matrix = { query: { workspace_id: 3 } }
  answer('{"id":1}\n{"id":2}\n')
  expect(await call(asBuilt(api.permissions.matrix), matrix)).toEqual([{ id: 1 }, { id: 2 }])
  answer('')
  expect(await call(asBuilt(api.permissions.matrix), matrix)).toEqual([])
  expect(await call(asBuilt(api.groups.remove), { params: { id: 1 }, query: { workspace_id: 3 } })).toBeUndefined()
})

test('a refusal carries the code, the sentence and the request id', async () => {
  fakeApi().fail(api.groups.get, 403, 'You may not see this group')
  const failure = await failureFrom(call(api.groups.get, { params: { id: 1 }, query: { workspace_id: 3 } }))
  expect(failure).toMatchObject({ code: 403, message: 'You may not see this group', requestId: 'req-test' })
  expect(failure.passing).toBe(false)
})

test('a call without a reply fails with code 0 and counts as passing', async () => {
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  const failure = await failureFrom(send('GET', '/api/v1/users/me'))
  expect(failure).toMatchObject({ code: 0, passing: true })
})

test('a reply that is not from the API still yields a message', () => {
  expect(failureOf(502, '<html>Bad gateway</html>').message).toBe('The server answered with 502 and no explanation.')
})

test('a validation error shows its first detail with the name of the field', () => {
  const details = [{ field: 'group.name', message: 'must not be empty' }]
  expect(messageOf(new ApiFailure(422, 'The request is not valid', { details }))).toBe('Name: must not be empty')
})
