import { matchRoutes, type RouteObject } from 'react-router-dom'
import { paths } from './paths.ts'
import { routes } from './routes.tsx'

const asked = new WeakSet<RouteObject>()
let running = 0

/** Whether code is being loaded in advance; the user need not learn of a failure. */
export const isPreloading = () => running > 0

/**
 * Loads the code of a page when the user points at a link to it or focuses it, and that of the viewer for a list of
 * files. Reads no data: reading a document's pages is recorded as viewing.
 */
export function preloadPages(): void {
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, onIntent)
}

function onIntent({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a[href], [role="grid"]') : null
  if (link instanceof HTMLAnchorElement) {
    if (link.origin === window.location.origin) void preload(link.pathname)
  } else if (link) void preload(paths.view(0, 0))
}

async function preload(pathname: string): Promise<void> {
  const pages = matchRoutes(routes, pathname)?.map(({ route }) => route) ?? []
  const loading = pages.filter((route) => !asked.has(route)).map((route) => asked.add(route) && loaded(route))
  running++
  await Promise.allSettled(loading)
  running--
}

const loaded = ({ lazy }: RouteObject) => (typeof lazy === 'function' ? lazy() : undefined)
