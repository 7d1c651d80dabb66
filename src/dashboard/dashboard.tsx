import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { QueryClientProvider } from '@tanstack/react-query'
import { LucideProvider } from 'lucide-react'
import type { ComponentProps } from 'react'
import { RouterProvider } from 'react-router-dom'
import { queryClient } from './api/query-client.ts'
import { STORAGE, theme } from './theme.ts'
import { Toasts } from './ui/toasts.tsx'

type Router = ComponentProps<typeof RouterProvider>['router']

/** Everything around the routes; the tests render the same with a router of their own. */
export function Dashboard({ router }: { router: Router }) {
  return (
    <ThemeProvider
      theme={theme}
      defaultMode="system"
      modeStorageKey={STORAGE.mode}
      colorSchemeStorageKey={STORAGE.scheme}
      noSsr
    >
      <CssBaseline enableColorScheme />
      <LucideProvider size={18} strokeWidth={1.75}>
        <QueryClientProvider client={queryClient}>
          <Toasts>
            <RouterProvider router={router} />
          </Toasts>
        </QueryClientProvider>
      </LucideProvider>
    </ThemeProvider>
  )
}
