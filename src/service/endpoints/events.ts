import type { Api } from '../../contract/index.ts'
import { enterWorkspace } from '../access/enter/workspace.ts'
import type { Handlers } from '../http/context.ts'

export const events: Handlers<Api['events']> = {
  follow: async ({ db, actor, services }, { params, query }) =>
    services.followers.follow(await enterWorkspace(db, actor, params.id), query.seconds),
}
