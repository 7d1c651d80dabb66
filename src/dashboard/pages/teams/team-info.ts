import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'

export type TeamInfo = Reply<typeof api.teams.get>

export const teamQuery = (id: number) => read(api.teams.get, { params: { id } })

export const templatesQuery = (id: number) => read(api.templates.list, { params: { id } })

export const teamMembersQuery = (id: number) => read(api.teams.listMembers, { params: { id } })
