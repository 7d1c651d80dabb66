import type { Part } from './parts.ts'

/** No server renders the dashboard, so nothing is ever hydrated, and no event waits for that. */
export const REACT: Part = {
  path: /react-dom\/cjs\/react-dom-client\.production\.js$/,
  texts: [
    // A variable that only hydration sets; a parameter has the same name.
    [/\bisHydrating\b(?!\$|\n\)| = )/g, '!1'],
    [/^exports\.hydrateRoot = [^]*?^\};$/m, ''],
    [/ReactDOMHydrationRoot\.prototype\.(render|unmount) = (?=ReactDOMRoot)/g, ''],
    [/^(ReactDOMHydrationRoot|FragmentInstance|ViewTransitionPseudoElement)\.prototype\.\w+ = [^]*?^\};$/gm, ''],
  ],
  functions: {
    popHydrationState: 'return false',
    updateDehydratedSuspenseComponent: undefined,
    retryDehydratedSuspenseBoundary: undefined,
    retrySuspenseComponentWithoutHydrating: undefined,
    mountHostRootWithoutHydrating: undefined,
    clearHydrationBoundary: undefined,
    hideOrUnhideDehydratedBoundary: undefined,
    queueIfContinuousEvent: undefined,
    retryIfBlockedOn: undefined,
    // Activity and SuspenseList.
    updateActivityComponent: undefined,
    updateSuspenseListComponent: undefined,
    // View transitions: these look for one in the changed tree.
    commitEnterViewTransitions: '',
    commitExitViewTransitions: '',
    commitNestedViewTransitions: '',
    restoreEnterOrExitViewTransitions: '',
    restoreNestedViewTransitions: '',
    measureNestedViewTransitions: '',
    startViewTransition: undefined,
    commitAfterMutationEffectsOnFiber: undefined,
    createViewTransitionInstance: undefined,
    applyViewTransitionToHostInstances: undefined,
    restoreViewTransitionOnHostInstances: undefined,
    // References to fragments: these look for one above a changed element.
    commitNewChildToFragmentInstances: '',
    commitFragmentInstanceInsertionEffects: '',
    commitFragmentInstanceDeletionEffects: '',
    // Elements that React moves to the head, `preload` and its like.
    isHostHoistableType: 'return false',
    getResource: undefined,
    acquireResource: undefined,
    preloadResource: undefined,
    suspendResource: undefined,
    mountHoistable: undefined,
    insertStylesheet: undefined,
    insertStylesheetIntoRoot: undefined,
    prefetchDNS: undefined,
    preconnect: undefined,
    preload: undefined,
    preloadModule: undefined,
    preinitScript: undefined,
    preinitStyle: undefined,
    preinitModuleScript: undefined,
    // Actions of forms, custom elements and `findDOMNode`.
    extractEvents$1: '',
    setPropOnCustomElement: undefined,
    findCurrentFiberUsingSlowPath: undefined,
  },
}
