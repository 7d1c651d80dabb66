import { REACT } from './react.ts'
import { ROUTER } from './router.ts'
import { THEME } from './theme.ts'

/** What to leave out of one module of a library. */
export interface Part {
  path: RegExp
  /** The whole module instead. */
  code?: string
  /** Texts, and what to write instead. */
  texts?: [text: string | RegExp, instead: string][]
  /** Functions by name, and their bodies instead; without one, a call throws. */
  functions?: Record<string, string | undefined>
}

const nothing = 'export default () => null'

/** Parts of libraries that each page would load and that the dashboard never uses; a wall in imports.test.ts holds that. */
export const PARTS: readonly Part[] = [
  REACT,
  ROUTER,
  THEME,
  // For styles that are made at build time.
  { path: /@mui\/material\/styles\/stringifyTheme\.mjs$/, code: 'export const stringifyTheme = () => null' },
  // The theme turns the ripple of every button off.
  { path: /@mui\/material\/ButtonBase\/TouchRipple\.mjs$/, code: nothing },
  // A button that is busy shows the spinner that the theme gives it; an icon button is never busy.
  { path: /@mui\/material\/CircularProgress\/(index|CircularProgress)\.mjs$/, code: nothing },
  // A table of all attributes of HTML. A styled tag that has props of its own says itself which ones its element gets.
  {
    path: /is-prop-valid\/dist\/emotion-is-prop-valid\.esm\.js$/,
    code: `export default (name) => !['as', 'sx', 'theme', 'ownerState'].includes(name)`,
  },
  // React 19 needs no static properties copied from one component to another, and nothing calls `withTheme`.
  {
    path: /hoist-non-react-statics\.cjs\.js$|emotion-react-_isolated-hnrs\.browser\.esm\.js$/,
    code: 'export default (to) => to',
  },
  // Every list of the dashboard has pages of its own.
  {
    path: /query-core\/build\/modern\/infiniteQueryBehavior\.js$/,
    code: 'export const infiniteQueryBehavior = () => ({}), hasNextPage = () => false, hasPreviousPage = () => false',
  },
  // public/start.js sets the colour scheme before the first paint.
  {
    path: /@mui\/system\/InitColorSchemeScript\/InitColorSchemeScript\.mjs$/,
    code: `${nothing}
export const buildInitColorSchemeScript = () => null
export const DEFAULT_MODE_STORAGE_KEY = 'mode'
export const DEFAULT_COLOR_SCHEME_STORAGE_KEY = 'color-scheme'
export const DEFAULT_ATTRIBUTE = 'data-color-scheme'`,
  },
  // The theme has no layers of styles.
  { path: /@mui\/system\/ThemeProvider\/useLayerOrder\.mjs$/, code: nothing },
  // React has had the hook since version 18.
  { path: /use-sync-external-store\/shim\/index\.js$/, code: `export { useSyncExternalStore } from 'react'` },
  // No `sx` sets the order of several container queries, and no style has their short form.
  {
    path: /@mui\/system\/cssContainerQueries\/cssContainerQueries\.mjs$/,
    code: `export default (theme) => theme
export const sortContainerQueries = (_theme, css) => css
export const isCqShorthand = () => false
export const getContainerQuery = () => null`,
  },
]
