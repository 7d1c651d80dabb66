import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { queryClient } from '../api/query-client.ts'
import { Providers } from '../providers.tsx'

/** One component with what every screen may count on, but no routes. */
export function renderElement(element: ReactElement) {
  queryClient.clear()
  return { ...render(<Providers>{element}</Providers>), user: userEvent.setup() }
}
