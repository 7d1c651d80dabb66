import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import type { MiddlewareFunction } from 'react-router-dom'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '../api/query-client.ts'
import { sessionQuery } from '../api/session.ts'
import { alice } from '../testing/fake-api.ts'
import { setTimeZone, timeZone } from '../ui/words/time-zone.ts'
import { FramedUser, requireSession, useMe } from './session.ts'

afterEach(() => setTimeZone(undefined))

const Name = () => <p>{useMe().first_name}</p>

test('a part that appears just after the session has ended still has the user of its frame', () => {
  queryClient.setQueryData(sessionQuery.queryKey, { user: null, demo_people: [], oidc: null })
  render(
    <QueryClientProvider client={queryClient}>
      <FramedUser value={alice}>
        <Name />
      </FramedUser>
    </QueryClientProvider>,
  )
  expect(screen.getByText(alice.first_name)).toBeTruthy()
})

test.each([
  ['Europe/Lisbon', 'Europe/Lisbon'],
  ['UTC', 'UTC'],
  ['Pacific Time (US & Canada)', 'America/Los_Angeles'],
  ['', undefined],
])('times are those of the zone of the user: %j', async (time_zone, zone) => {
  queryClient.setQueryData(sessionQuery.queryKey, { user: { ...alice, time_zone }, demo_people: [], oidc: null })
  const enter = requireSession as (args: Pick<Parameters<MiddlewareFunction>[0], 'request'>) => Promise<void>
  await enter({ request: new Request('http://localhost/') })
  expect(timeZone()).toBe(zone)
})
