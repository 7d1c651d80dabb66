import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { queryClient } from '../api/query-client.ts'
import { Providers } from '../providers.tsx'
import { routes } from '../routes.tsx'

/** Renders the whole dashboard at an address, as a browser would; prepare a `fakeApi()` first. */
export function renderAt(address: string) {
  queryClient.clear()
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  const view = render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  )
  return {
    ...view,
    router,
    user: userEvent.setup(),
    /** Returns the current path and query. */
    address: () => router.state.location.pathname + router.state.location.search,
  }
}
