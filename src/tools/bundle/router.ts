import type { Part } from './parts.ts'

/** All routes are known at the start, no server renders them, and TanStack Query reads and changes data. */
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
    discoverRoutes: undefined,
    patchRoutes: undefined,
    _internalSetRoutes: undefined,
    parseHydrationData: 'return undefined',
    decodeRouteErrorResponseDigest: undefined,
    RSCErrorHandler: undefined,
    usePrefetchBehavior: 'return [false, null, {}]',
    PrefetchPageLinks: undefined,
    enableScrollRestoration: undefined,
    useViewTransitionState: 'return false',
  },
}
