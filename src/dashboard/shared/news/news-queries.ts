import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { queryClient } from '../../api/query-client.ts'

type WorkspaceNews = Reply<typeof api.users.news>['workspaces'][number]

/** Milliseconds between two readings where no event tells of news. */
export const COUNTED_EVERY = 60_000

export const unreadIn = ({ unread_files, unread_questions, unread_access }: WorkspaceNews) =>
  unread_files + unread_questions + unread_access

const KEYS = [api.users.news, api.news.list, api.news.listUnread].map(({ method, path }) => `${method} ${path}`)

/** Reads news again after the user has looked at something that was unread. */
export const readNewsAgain = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => KEYS.includes(String(queryKey[0])) })
