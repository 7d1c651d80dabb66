import { api } from '../../contract/index.ts'
import { read } from '../api/query.ts'

export const welcomeQuery = (id: number) => read(api.workspaces.getWelcome, { params: { id } })
