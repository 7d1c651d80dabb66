import { readId } from '../contract/read-id.ts'

/** The only place that builds addresses of the dashboard; routes.tsx uses the same patterns. */

const workspace = (workspaceId: number) => `/workspaces/${workspaceId}`

export const paths = {
  home: () => '/',
  /** Begins another workspace like this one. */
  newLike: (workspaceId: number) => withQuery('/', { like: workspaceId }),
  /** `wanted` is the address to open after the sign-in. */
  signIn: (wanted?: string) => withQuery('/sign-in', { to: wanted === '/' ? undefined : wanted }),
  aboutYou: (wanted: string) => withQuery('/about-you', { to: wanted === '/' ? undefined : wanted }),
  /** Leaves the dashboard for the identity provider. */
  identityProvider: (wanted?: string) => withQuery('/auth/oidc', { to: wanted === '/' ? undefined : wanted }),
  organization: () => '/organization',
  system: () => '/system',
  account: () => '/account',
  news: (query: { room?: number } = {}) => withQuery('/news', query),
  team: (teamId: number) => `/teams/${teamId}`,
  workspace,
  files: (workspaceId: number, folderId = 0, query: { file?: number; sort?: string } = {}) =>
    withQuery(`${workspace(workspaceId)}/files${folderId === 0 ? '' : `/${folderId}`}`, query),
  /**
   * The pages of a file; `sort` is the order of its neighbours, `find` a search whose words are marked. With a group or
   * a user, the pages as these have them.
   */
  view: (
    workspaceId: number,
    fileId: number,
    query: {
      page?: number
      version?: number
      sort?: string
      find?: string
      group?: number | undefined
      user?: number | undefined
    } = {},
  ) => withQuery(`${workspace(workspaceId)}/files/${fileId}/view`, query),
  welcome: (workspaceId: number) => `${workspace(workspaceId)}/welcome`,
  /** `on` is the file about which to `ask`, and `file` narrows the list. */
  questions: (
    workspaceId: number,
    query: {
      question?: string
      passed?: string
      ask?: string
      on?: number
      file?: number
      awaits?: number
      status?: string
      view?: string
    } = {},
  ) => withQuery(`${workspace(workspaceId)}/questions`, query),
  trash: (workspaceId: number) => `${workspace(workspaceId)}/trash`,
  search: (workspaceId: number, q: string, page?: number) => withQuery(`${workspace(workspaceId)}/search`, { q, page }),
  /** `who` is the folder whose viewers the page lists. */
  permissions: (workspaceId: number, query: { group?: number; who?: number } = {}) =>
    withQuery(`${workspace(workspaceId)}/permissions`, query),
  /** The files, or another page, as a group or a person sees them. */
  viewAs: (
    workspaceId: number,
    who: { group?: number | undefined; user?: number | undefined; file?: number; sort?: string; q?: string },
    at: number | 'questions' | 'welcome' | 'search' = 0,
  ) => withQuery(`${workspace(workspaceId)}/view-as${at === 0 ? '' : `/${at}`}`, who),
  groups: (workspaceId: number) => `${workspace(workspaceId)}/groups`,
  group: (workspaceId: number, groupId: number) => `${workspace(workspaceId)}/groups/${groupId}`,
  activities: (
    workspaceId: number,
    query: { user_id?: number; subject_type?: string; subject_id?: number; show?: 'unread' } = {},
  ) => withQuery(`${workspace(workspaceId)}/activities`, query),
  engagement: (workspaceId: number, query: { file?: number; days?: number } = {}) =>
    withQuery(`${workspace(workspaceId)}/activities/engagement`, query),
  people: (workspaceId: number) => `${workspace(workspaceId)}/people`,
  documents: (workspaceId: number, query: { status?: string; page?: number } = {}) =>
    withQuery(`${workspace(workspaceId)}/documents`, query),
  /** `to` is the address to open once the terms are accepted. */
  terms: (workspaceId: number, to?: string) => withQuery(`${workspace(workspaceId)}/terms`, { to }),
  /** `read` is a version to open. */
  issuedTerms: (workspaceId: number, read?: number) => withQuery(`${workspace(workspaceId)}/settings/terms`, { read }),
  settings: (workspaceId: number) => `${workspace(workspaceId)}/settings`,
}

function withQuery(path: string, values: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query}`
}

/**
 * Returns an address from a query parameter if it is inside the dashboard, otherwise home. The address is resolved as a
 * browser would, since `/..//host` leads to another host.
 */
export function insideOnly(address: string | null): string {
  if (!address?.startsWith('/') || /^\/[/\\]/.test(address) || /\p{Cc}/u.test(address)) return paths.home()
  const { origin, pathname, search, hash } = new URL(address, 'http://inside')
  return origin === 'http://inside' && !pathname.startsWith('//') ? pathname + search + hash : paths.home()
}

/** Reads an id in an address, such as `:workspaceId`; an invalid id becomes -1, which matches nothing. */
export function idOf(text: string | undefined): number {
  return readId(text) ?? -1
}
