import type { Plugin } from 'vite'

interface Part {
  path: RegExp
  code: string
}

const nothing = 'export default () => null'

/** Parts of libraries that each page would load and that the dashboard never uses. */
const PARTS: Part[] = [
  // The theme turns the ripple of every button off.
  { path: /@mui\/material\/ButtonBase\/TouchRipple\.mjs$/, code: nothing },
  // A button that is busy shows the spinner that the theme gives it; an icon button is never busy.
  { path: /@mui\/material\/CircularProgress\/(index|CircularProgress)\.mjs$/, code: nothing },
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
  // public/theme-init.js sets the colour scheme before the first paint.
  {
    path: /@mui\/system\/InitColorSchemeScript\/InitColorSchemeScript\.mjs$/,
    code: `${nothing}
export const buildInitColorSchemeScript = () => null
export const DEFAULT_MODE_STORAGE_KEY = 'mode'
export const DEFAULT_COLOR_SCHEME_STORAGE_KEY = 'color-scheme'
export const DEFAULT_ATTRIBUTE = 'data-color-scheme'`,
  },
]

/** Leaves parts of libraries out of the build. */
export function unusedParts(): Plugin {
  return {
    name: 'unused-parts',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      return PARTS.find(({ path }) => path.test(id.replaceAll('\\', '/')))?.code
    },
  }
}
