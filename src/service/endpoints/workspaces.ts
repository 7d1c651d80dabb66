import type { Input } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import { enterFolder } from '../access/enter/folder.ts'
import { enterOrganization } from '../access/enter/organization.ts'
import { enterTeam, enterTeamAsMember } from '../access/enter/team.ts'
import { inTheirPlace, readerIn, viewAs } from '../access/enter/view-as.ts'
import { administerWorkspace, enterWorkspace } from '../access/enter/workspace.ts'
import type { Workspace } from '../access/scopes.ts'
import { refusal } from '../base/errors.ts'
import { together } from '../db/pipelined-dialect.ts'
import type { Db } from '../db/pool.ts'
import { fillFrom } from '../store/templates/workspace-source.ts'
import { type Context, fromReplica, type Handlers } from '../http/context.ts'
import { record } from '../store/audit/activities.ts'
import { getApiAccess, listApiAccessMembers, setApiAccess } from '../store/people/api-access.ts'
import {
  changesBetween,
  created,
  type Deed,
  naming,
  recordForAudit,
  recordForOrganization,
} from '../store/audit/audit.ts'
import { getContent } from '../store/folders/folder-content.ts'
import { listIndex } from '../store/folders/index-rows.ts'
import { listNewFiles } from '../store/news/news.ts'
import { countReading, listAcceptedTerms } from '../store/workspaces/own-reading.ts'
import { getProtection, getWelcomeFacts, updateWelcome } from '../store/workspaces/welcome.ts'
import {
  acceptName,
  getListedMember,
  JOINED,
  listMembers,
  setFavourite,
  visit,
} from '../store/workspaces/workspace-memberships.ts'
import {
  getWorkspace,
  insertWorkspace,
  listWorkspaces,
  updateWorkspace,
  type WorkspaceSettings,
} from '../store/workspaces/workspaces.ts'

export const workspaces: Handlers<Api['workspaces']> = {
  create: async ({ db, actor }, { body }) => {
    const team = await enterTeamAsMember(db, actor, body.workspace.team_id)

    const id = await insertWorkspace(db, enterOrganization(actor), team, body.workspace.name)
    const workspace = await administerWorkspace(db, actor, id)
    await record(db, workspace, JOINED)
    if (body.workspace.source) await fillFrom(db, workspace, team, body.workspace.source)
    await recordForOrganization(db, enterOrganization(actor), {
      act: 'workspace_created',
      params: { name: workspace.name },
      subject_id: id,
      changes: created({ name: workspace.name, team_id: team.id }),
    })

    return getWorkspace(db, workspace)
  },

  list: fromReplica(async ({ db, actor }, { query }) => {
    const workspaces = await listWorkspaces(db, enterOrganization(actor), query.team_id)
    // If the list is empty, the caller must still be allowed to see the team.
    if (workspaces.length === 0) await enterTeam(db, actor, query.team_id)
    return { workspaces }
  }),

  get: async ({ db, actor, services }, { params }) => {
    const workspace = await enterWorkspace(db, actor, params.id)
    if (await visit(db, workspace)) services.announce()
    return getWorkspace(db, workspace)
  },

  update: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const { name = workspace.name, numbering = workspace.numbering, ...others } = body.workspace
    if (name !== workspace.name || numbering !== workspace.numbering || Object.keys(others).length > 0) {
      // Only what was sent: another admin may be changing the rest.
      const former = await updateWorkspace(db, workspace, body.workspace)
      for (const deed of updated(workspace, former, body.workspace)) await recordForAudit(db, workspace, deed)
    }
    return getWorkspace(db, workspace)
  },

  getWelcome: async ({ db, actor }, { params }) => showWelcome(db, await enterWorkspace(db, actor, params.id)),

  viewWelcomeAs: async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const reader = readerIn(query)
    return viewAs(db, workspace, reader, (tx, seen) => showWelcome(tx, inTheirPlace(seen, reader), query.group_id))
  },

  updateWelcome: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const changes = changesBetween(await updateWelcome(db, workspace, body.welcome), body.welcome)
    if (changes) await recordForAudit(db, workspace, { act: 'welcome_updated', subject_id: workspace.id, changes })
    return showWelcome(db, workspace)
  },

  setFavourite: async ({ db, actor }, { params, body }) =>
    setFavourite(db, await enterWorkspace(db, actor, params.id), body.favourite),

  listMembers: async ({ db, actor }, { params }) => listMembers(db, await administerWorkspace(db, actor, params.id)),

  acceptName: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    if (params.user_id === actor.id) throw refusal('own_name')

    const { membership_id, is_marked, ...user } = await acceptName(db, workspace, params.user_id, body)
    if (!is_marked) {
      await record(db, workspace, { act: 'name_accepted', ...naming(user), subject_id: membership_id })
    }
    return getListedMember(db, workspace, params.user_id)
  },

  getApiAccess: async ({ db, actor }, { params }) => getApiAccess(db, await administerWorkspace(db, actor, params.id)),

  enableApiAccess: (context, { params }) => switchApiAccess(context, params.id, true),

  disableApiAccess: (context, { params }) => switchApiAccess(context, params.id, false),

  listApiAccessMembers: async ({ db, actor }, { params }) => ({
    members: await listApiAccessMembers(db, await administerWorkspace(db, actor, params.id)),
  }),

  home: fromReplica(async ({ db, actor }, { params }) => {
    const workspace = await enterWorkspace(db, actor, params.id)
    return getContent(db, await enterFolder(db, workspace, 0))
  }),

  listIndex: async ({ db, actor }, { params }) => listIndex(db, await enterWorkspace(db, actor, params.id)),

  printIndex: async ({ db, actor, services }, { params, query: { language, time_zone: timeZone = 'UTC' } }) => {
    const workspace = await enterWorkspace(db, actor, params.id)
    const { id, name } = workspace
    const { publicUrl } = services.config
    const task = { workspace: { id, name }, publicUrl, language, timeZone, at: services.clock().toISOString() }
    return services.indexPrinter.print(listIndex(db, workspace), task, actor.id)
  },
}

type SentSettings = Input<Api['workspaces']['update']>['body']['workspace']

function updated({ id: subject_id }: Workspace, before: WorkspaceSettings, sent: SentSettings): Deed[] {
  const { name = before.name, numbering = before.numbering, measures_reading, reading_kept_days: days } = sent
  const entries: Deed[] = []
  if (name !== before.name) {
    const changes = { name: { before: before.name, after: name } }
    entries.push({ act: 'workspace_renamed', params: { old: before.name, name }, subject_id, changes })
  }
  if (numbering !== before.numbering) {
    const changes = { numbering: { before: before.numbering, after: numbering } }
    entries.push({ act: numbering === 'fixed' ? 'numbers_fixed' : 'numbers_per_reader', subject_id, changes })
  }
  if (measures_reading !== undefined && measures_reading !== before.measures_reading) {
    const changes = { measures_reading: { before: before.measures_reading, after: measures_reading } }
    entries.push({ act: measures_reading ? 'reading_measured' : 'reading_not_measured', subject_id, changes })
  }
  if (days !== undefined && days !== before.reading_kept_days) {
    const changes = { reading_kept_days: { before: before.reading_kept_days, after: days } }
    entries.push({ act: 'reading_kept', params: { days: String(days) }, subject_id, changes })
  }
  return entries
}

/** `groupId` is the group whose view is asked for, of which nobody has a visit. */
async function showWelcome(db: Db, workspace: Workspace, groupId?: number) {
  const isGroup = groupId !== undefined
  const [facts, protection, reading, terms] = await together(db, (at) =>
    Promise.all([
      getWelcomeFacts(at, workspace, groupId),
      getProtection(at, workspace),
      isGroup ? null : countReading(at, workspace),
      isGroup ? [] : listAcceptedTerms(at, workspace),
    ]),
  )
  return { ...facts, protection, reading, terms, ...(await listNewFiles(db, workspace, facts.previous_visit_at)) }
}

async function switchApiAccess({ db, actor }: Context, workspaceId: number, enabled: boolean) {
  const workspace = await administerWorkspace(db, actor, workspaceId)
  if (await setApiAccess(db, workspace, enabled)) {
    const act = enabled ? 'api_access_enabled' : 'api_access_disabled'
    const changes = { api_access_enabled: { before: !enabled, after: enabled } }
    await record(db, workspace, { act, subject_id: workspace.id, changes })
  }
  return getApiAccess(db, workspace)
}
