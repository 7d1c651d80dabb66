import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryClient } from '../api/query-client.ts'
import { sessionQuery } from '../api/session.ts'
import { alice } from '../testing/fake-api.ts'
import { FramedUser, useMe } from './session.ts'

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
