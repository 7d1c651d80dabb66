import type { RouteObject } from 'react-router-dom'
import { StartingUp } from './shared/frame/starting-up.tsx'
import { WHOLE_WINDOW } from './shared/frame/whole-window.ts'
import { requireSession } from './shared/session.ts'
import { enterRoom, loadWorkspace, meetTerms } from './shared/workspace.ts'
import { withTexts } from './ui/words/language.ts'

/** Shows failures of its children in their place, so that the surrounding page stays. */
const errorsInside: RouteObject = { lazy: () => import('./shared/frame/page-error.tsx') }
const notFound: RouteObject = { path: '*', lazy: () => import('./shared/frame/not-found.tsx') }

/**
 * Every screen, one line each. A page module exports its component as `Component` and may export a `loader` that
 * starts the page's reads (`prefetch` of api/query.ts). The entries of the rail are in shared/frame/sections.ts.
 */
const workspacePages: RouteObject[] = [
  { index: true, loader: enterRoom },
  { path: 'files/:folderId?', lazy: () => import('./pages/files/files-page.tsx') },
  { path: 'files/:fileId/view', handle: WHOLE_WINDOW, lazy: () => import('./pages/viewer/view-page.tsx') },
  { path: 'welcome', lazy: () => import('./pages/welcome/welcome-page.tsx') },
  { path: 'questions', lazy: withTexts('deal', () => import('./pages/questions/questions-page.tsx')) },
  { path: 'trash', lazy: () => import('./pages/trash/trash-page.tsx') },
  { path: 'search', lazy: () => import('./pages/search/search-page.tsx') },
  { path: 'permissions', lazy: withTexts('administration', () => import('./pages/permissions/permissions-page.tsx')) },
  { path: 'view-as/:folderId?', handle: WHOLE_WINDOW, lazy: () => import('./pages/files/view-as/view-as-page.tsx') },
  {
    path: 'view-as/questions',
    handle: WHOLE_WINDOW,
    lazy: withTexts('deal', () => import('./pages/questions/view-as/seen-questions-page.tsx')),
  },
  { path: 'view-as/search', handle: WHOLE_WINDOW, lazy: () => import('./pages/search/seen-search-page.tsx') },
  { path: 'view-as/welcome', handle: WHOLE_WINDOW, lazy: () => import('./pages/welcome/seen-welcome-page.tsx') },
  { path: 'groups', lazy: withTexts('administration', () => import('./pages/groups/groups-page.tsx')) },
  { path: 'groups/:groupId', lazy: withTexts('administration', () => import('./pages/groups/group-page.tsx')) },
  { path: 'people', lazy: withTexts('administration', () => import('./pages/people/people-page.tsx')) },
  { path: 'activities', lazy: withTexts('deal', () => import('./pages/activities/activities-page.tsx')) },
  { path: 'activities/engagement', lazy: withTexts('deal', () => import('./pages/engagement/engagement-page.tsx')) },
  { path: 'documents', lazy: withTexts('administration', () => import('./pages/documents/documents-page.tsx')) },
  { path: 'settings', lazy: withTexts('administration', () => import('./pages/settings/settings-page.tsx')) },
  {
    path: 'settings/terms',
    lazy: withTexts('deal', () => import('./pages/terms/administration/issued-terms-page.tsx')),
  },
  notFound,
]

const signedInPages: RouteObject[] = [
  { index: true, lazy: () => import('./pages/home/home-page.tsx') },
  { path: 'teams/:teamId', lazy: withTexts('administration', () => import('./pages/teams/team-page.tsx')) },
  {
    path: 'organization',
    lazy: withTexts('administration', () => import('./pages/organization/organization-page.tsx')),
  },
  { path: 'system', lazy: withTexts('administration', () => import('./pages/system/system-page.tsx')) },
  { path: 'news', lazy: withTexts('deal', () => import('./pages/news/news-page.tsx')) },
  { path: 'account', lazy: withTexts('deal', () => import('./pages/account/account-page.tsx')) },
  {
    path: 'workspaces/:workspaceId',
    middleware: [meetTerms],
    loader: loadWorkspace,
    ...errorsInside,
    children: workspacePages,
  },
  notFound,
]

export const routes: RouteObject[] = [
  {
    ...errorsInside,
    HydrateFallback: StartingUp,
    children: [
      { path: '/sign-in', lazy: () => import('./pages/sign-in/sign-in-page.tsx') },
      { path: '/about-you', lazy: () => import('./pages/sign-in/about-you-page.tsx') },
      { path: '/invitation/:workspaceId', lazy: () => import('./pages/sign-in/invitation/invitation-page.tsx') },
      {
        path: '/sealed/open',
        middleware: [requireSession],
        loader: () => null,
        lazy: () => import('./pages/sealed/open-sealed-page.tsx'),
      },
      {
        path: '/workspaces/:workspaceId/terms',
        middleware: [requireSession],
        lazy: withTexts('deal', () => import('./pages/terms/terms-page.tsx')),
      },
      {
        path: '/',
        middleware: [requireSession],
        // Middleware runs only for routes with a loader.
        loader: () => null,
        lazy: () => import('./shared/frame/frame.tsx'),
        children: [{ ...errorsInside, children: signedInPages }],
      },
    ],
  },
]
