import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'

export type GroupInfo = Reply<typeof api.groups.get>

export const groupsQuery = (workspace_id: number) => read(api.groups.list, { query: { workspace_id } })

export const groupQuery = (workspace_id: number, id: number) =>
  read(api.groups.get, { params: { id }, query: { workspace_id } })

export const membersQuery = (workspace_id: number, id: number) =>
  read(api.groups.listMembers, { params: { id }, query: { workspace_id } })

/** Members of these have every right; nothing restricts them. */
export const isOfAdmins = ({ kind }: Pick<GroupInfo, 'kind'>): boolean =>
  kind === 'team_admins' || kind === 'workspace_admins'

export const isBuiltIn = ({ kind }: Pick<GroupInfo, 'kind'>): boolean => kind !== 'custom'

/** Custom groups by name, then the built-in ones. */
export function inOrder(groups: readonly GroupInfo[]): GroupInfo[] {
  return groups.toSorted((a, b) => Number(isBuiltIn(a)) - Number(isBuiltIn(b)) || a.name.localeCompare(b.name))
}

const WHAT: Record<GroupInfo['kind'], string> = {
  custom: '',
  all_members: 'Built in: everyone in the workspace',
  team_admins: 'Built in: workspace admins who are in the team',
  workspace_admins: 'Built in: every right on everything',
}

export const whatIs = ({ kind }: Pick<GroupInfo, 'kind'>): string => WHAT[kind]
