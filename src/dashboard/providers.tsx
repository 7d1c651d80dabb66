import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider, type ThemeOptions } from '@mui/material/styles'
import { QueryClientProvider } from '@tanstack/react-query'
import { LucideProvider } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { queryClient } from './api/query-client.ts'
import { makeTheme, STORAGE } from './theme.ts'
import { Toasts } from './ui/toasts/toasts.tsx'

interface ProvidersProps {
  /** The widgets' own texts in a language other than English. */
  widgets?: ThemeOptions['components']
  children: ReactNode
}

/** The providers that every screen relies on; the tests use them too. */
export function Providers({ widgets, children }: ProvidersProps) {
  const [theme] = useState(() => makeTheme(widgets))
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
          <I18nProvider i18n={i18n}>
            <Toasts>{children}</Toasts>
          </I18nProvider>
        </QueryClientProvider>
      </LucideProvider>
    </ThemeProvider>
  )
}
