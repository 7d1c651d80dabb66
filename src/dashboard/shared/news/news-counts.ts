import { api } from '../../../contract/index.ts'
import { orNone, read } from '../../api/query.ts'

/** What is new and unread for the user, by workspace. */
export const newsCounts = () => orNone(read(api.users.news), { workspaces: [] })
