import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { queryClient } from '../api/query-client.ts'
import { Providers } from '../providers.tsx'

/** Renders one component with the providers that every screen relies on, but without routes. */
export function renderElement(element: ReactElement) {
  queryClient.clear()
  return { ...render(<Providers>{element}</Providers>), user: userEvent.setup() }
}
