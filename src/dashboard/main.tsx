import '@fontsource-variable/inter/wght.css'
import { CacheProvider } from '@emotion/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { queryClient } from './api/query-client.ts'
import { loadServiceWords } from './api/service-words.ts'
import { sessionQuery } from './api/session.ts'
import { isPreloading, preloadPages } from './preload.ts'
import { Providers } from './providers.tsx'
import { routes } from './routes.tsx'
import { createAdoptedStyles } from './ui/adopted-styles.ts'
import { startLanguage, wantedLanguage } from './ui/words/language.ts'

// Every page waits for the session first, so request it before the code of the page.
void queryClient.prefetchQuery(sessionQuery)

// The server no longer has the modules of an older build, so load the page again. Do so at most once a minute, so that
// a real failure is shown, and not offline, where the page would be lost.
window.addEventListener('vite:preloadError', (event) => {
  if (isPreloading() || !navigator.onLine || Date.now() - Number(sessionStorage.getItem('reloaded_at')) < 60_000) return
  sessionStorage.setItem('reloaded_at', String(Date.now()))
  event.preventDefault()
  window.location.reload()
})

// The back/forward cache keeps pages even after a sign-out: hide a page when it is left and reload it on return.
window.addEventListener('pagehide', ({ persisted }) => {
  if (persisted) document.documentElement.hidden = true
})
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) window.location.reload()
})

preloadPages()

// No top-level await: the modules loaded here import from this very file, which would still be waiting.
void start()

async function start() {
  const language = wantedLanguage()
  // The texts of the service and the widgets are English by default.
  const isOther = language !== 'en'
  const [, widgets] = await Promise.all([
    startLanguage(language),
    isOther ? import('./ui/words/widget-texts.ts').catch(() => undefined) : undefined,
    isOther ? loadServiceWords() : undefined,
  ])

  const root = document.querySelector('#root')
  if (!root) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <CacheProvider value={createAdoptedStyles()}>
        <Providers widgets={widgets?.widgetTexts()}>
          <RouterProvider router={createBrowserRouter(routes)} />
        </Providers>
      </CacheProvider>
    </StrictMode>,
  )
}
