import type { Api } from '../../../contract/index.ts'
import { enterLatestWorkspaces, enterWorkspace } from '../../access/enter/workspace.ts'
import type { Context, Handlers } from '../../http/context.ts'
import { NEWS_WORKSPACES } from '../../store/news/news.ts'
import { listNewsItems } from '../../store/news/news-items.ts'
import { listUnread, markRead } from '../../store/news/unread.ts'

export const news: Handlers<Api['news']> = {
  list: async (context, { query }) => ({ items: await listNewsItems(context.db, await enter(context, query)) }),

  markRead: async (context, { body }) => markRead(context.db, await enter(context, body), body.until),

  listUnread: async ({ db, actor }, { params }) => listUnread(db, await enterWorkspace(db, actor, params.id)),
}

const enter = async ({ db, actor }: Context, { workspace_id }: { workspace_id?: number | undefined }) =>
  workspace_id === undefined
    ? enterLatestWorkspaces(db, actor, NEWS_WORKSPACES)
    : [await enterWorkspace(db, actor, workspace_id)]
