import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { fakeApi, type FakeApi } from '../testing/fake-api.ts'
import { queryClient } from './query-client.ts'
import { read, useAction, useReading } from './query.ts'

let fake: FakeApi
let names: string[]
/** Holds the replies of the counts of news. */
let slow: Promise<void>

beforeEach(() => {
  queryClient.clear()
  names = []
  slow = Promise.resolve()
  fake = fakeApi()
    .on(api.templates.list, () => ({ templates: names.map((name, id) => ({ ...template, id, name })) }))
    .on(api.users.news, async () => {
      await slow
      return { workspaces: [] }
    })
  fake.raw('POST', '/api/v1/workspaces/5/templates', (body) => {
    const { name } = (body as { template: { name: string } }).template
    names.push(name)
    return { status: 201, body: { ...template, name } }
  })
})

const template = {
  id: 1,
  shipped: null,
  name: '',
  created_by: null,
  created_at: null,
  folders_count: 0,
  folders: [],
  groups: [],
}

function Page() {
  const { data } = useReading(read(api.templates.list, { params: { id: 1 } }))
  useReading(read(api.users.news))
  const create = useAction(api.templates.create)
  const add = (name: string) => create.mutate({ params: { id: 5 }, body: { template: { name } } })
  return (
    <>
      <p>{data?.templates.map(({ name }) => name).join(', ')}</p>
      <button onClick={() => add('One')}>One</button>
      <button onClick={() => add('Two')}>Two</button>
    </>
  )
}

it('reads again after a change, also while what a former change reads again is still on its way', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  const reads = () => fake.calls.filter((call) => call.includes('/users/me/news')).length
  await waitFor(() => expect(reads()).toBe(1))
  slow = new Promise(() => {})
  await user.click(screen.getByRole('button', { name: 'One' }))
  expect(await screen.findByText('One', { selector: 'p' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Two' }))
  expect(await screen.findByText('One, Two')).toBeTruthy()
})
