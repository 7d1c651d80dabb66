import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { isBuiltIn } from '../../../contract/rules.ts'
import { read } from '../../api/query.ts'
import { naturally } from '../../ui/words/format.ts'
import { known } from '../../ui/words/known.ts'

export type GroupInfo = Reply<typeof api.groups.get>

export const groupsQuery = (workspace_id: number) => read(api.groups.list, { query: { workspace_id } })

export const groupQuery = (workspace_id: number, id: number) =>
  read(api.groups.get, { params: { id }, query: { workspace_id } })

/** The people of the workspace, with the groups of each. For its admins. */
export const peopleQuery = (workspace_id: number) => read(api.workspaces.listMembers, { params: { id: workspace_id } })

export const questionSettingsQuery = (workspace_id: number) =>
  read(api.questions.getSettings, { params: { workspace_id } })

export const expertsQuery = (workspace_id: number) => read(api.experts.list, { params: { workspace_id } })

export const membersQuery = (workspace_id: number, id: number) =>
  read(api.groups.listMembers, { params: { id }, query: { workspace_id } })

/** Sorts custom groups by name, then the built-in groups. */
export function inOrder(groups: readonly GroupInfo[]): GroupInfo[] {
  return groups.toSorted((a, b) => Number(isBuiltIn(a)) - Number(isBuiltIn(b)) || naturally(a.name, b.name))
}

const WHAT: Record<Exclude<GroupInfo['kind'], 'custom'>, MessageDescriptor> = {
  all_members: msg`Built in: everyone in the workspace`,
  team_admins: msg`Built in: workspace admins who are in the team`,
  workspace_admins: msg`Built in: every right on everything`,
}

export const whatIs = ({ kind }: Pick<GroupInfo, 'kind'>): string =>
  kind === 'custom' ? '' : i18n._(known(WHAT, kind, msg`Built in`))
