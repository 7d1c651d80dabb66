import type { Part } from './parts.ts'

/**
 * The router is one module, and its largest function cannot be split by the bundler. The dashboard navigates, loads and
 * blocks; TanStack Query reads and changes data, so there are no actions, forms and fetchers. All routes are known at
 * the start, and no server renders pages. A wall in src/tools/imports.test.ts holds what the dashboard may import.
 */
export const ROUTER: Part = {
  path: /react-router\/dist\/development\/chunk-6KYCQHYJ\.mjs$/,
  texts: [
    ['var ENABLE_DEV_WARNINGS = true;', 'var ENABLE_DEV_WARNINGS = false;'],
    [/\bwarn(ing|ingOnce|Once)\(/g, '/* @__PURE__ */ $&'],
    // Names for developer tools, which keep unused components in the build.
    [/^\w+\.displayName = .+;$/gm, ''],
    // Options that `createBrowserRouter` gets from nobody.
    [/\binit\.(hydrationData|patchRoutesOnNavigation|instrumentations)\b/g, 'undefined'],
    [/opts && opts\.submission && isMutationMethod\(opts\.submission\.formMethod\)/g, 'false'],
    [/if \(isFogOfWar\)/g, 'if (false)'],
    ['fetchLoadMatches.forEach(', 'if (false) fetchLoadMatches.forEach('],
    // Without this mark, an unused component stays in the build.
    [/= (React\d*\.forwardRef\()/g, '= /* @__PURE__ */ $1'],
    // View transitions, and addresses that differ from the shown page.
    ['else if (pendingViewTransitionEnabled)', 'else if (false)'],
    [/if \(pendingAction === "POP".* && location !== state\.location\)/, 'if (false)'],
    ['if (!viewTransitionOpts || !isViewTransitionAvailable)', 'if (true)'],
    ['if (renderDfd && pendingState && router.window)', 'if (false)'],
    ['if (!vtContext.isTransitioning && interruption)', 'if (false)'],
    [/if \((opts\?\.)?mask\)/g, 'if (false)'],
  ],
  functions: {
    // Forms, actions and fetchers.
    normalizeNavigateOptions: 'return { path }',
    getSubmissionFromNavigation: 'return undefined',
    handleAction: undefined,
    fetch2: undefined,
    handleFetcherAction: undefined,
    handleFetcherLoader: undefined,
    getUpdatedRevalidatingFetchers: undefined,
    updateFetcherState: undefined,
    setFetcherError: undefined,
    getFetcher: undefined,
    resetFetcher: undefined,
    queueFetcherForDeletion: undefined,
    // Routes that are added later.
    discoverRoutes: undefined,
    patchRoutes: undefined,
    _internalSetRoutes: undefined,
    // Pages rendered by a server, and what its links load in advance.
    parseHydrationData: 'return undefined',
    decodeRouteErrorResponseDigest: undefined,
    RSCErrorHandler: undefined,
    usePrefetchBehavior: 'return [false, null, {}]',
    PrefetchPageLinks: undefined,
    // The browser restores the scroll position, and no link asks for a view transition.
    enableScrollRestoration: undefined,
    useViewTransitionState: 'return false',
  },
}
