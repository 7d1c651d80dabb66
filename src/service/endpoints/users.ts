import type { Api } from '../../contract/index.ts'
import { administerOrganization, enterOrganization } from '../access/enter/organization.ts'
import { administerWorkspace, enterLatestWorkspaces } from '../access/enter/workspace.ts'
import type { AdministeredOrganization, Organization } from '../access/scopes.ts'
import { nameOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { refusal, unprocessable } from '../base/errors.ts'
import type { Context, Handlers } from '../http/context.ts'
import { enqueueChangeAsked, enqueueChanged } from '../mail/email-change.ts'
import { enqueueInvitation, enqueueReminder, remindMember } from '../mail/invitation.ts'
import { record, recordIn } from '../store/audit/activities.ts'
import { type Changes, changesBetween, created, naming, recordForOrganization, removed } from '../store/audit/audit.ts'
import {
  completeEmailChange,
  deleteEmailChange,
  getEmailChange,
  redeemEmailCode,
  requestEmailChange,
} from '../store/people/email-changes.ts'
import { deleteSessions } from '../store/people/sessions.ts'
import { listExpirations } from '../store/workspaces/expirations.ts'
import { eraseUser, isDeleted } from '../store/people/user-erasure.ts'
import { deleteUser } from '../store/people/user-removal.ts'
import {
  activateCaller,
  getCaller,
  getUser,
  insertUser,
  isSameAddress,
  lockUser,
  toCaller,
  toUser,
  updateCaller,
  type UserRow,
} from '../store/people/users.ts'
import { listNews, NEWS_WORKSPACES } from '../store/news/news.ts'
import { getMember, keepMarkedName } from '../store/workspaces/workspace-memberships.ts'
import { listEnterableWorkspaces } from '../store/workspaces/workspaces.ts'

export const users: Handlers<Api['users']> = {
  create: async ({ db, actor, services }, { body }) => {
    const user = await insertUser(db, services.vault, administerOrganization(actor), body.user)
    await enqueueInvitation(db, actor, { to: user.email, url: services.config.publicUrl })
    return toUser(services.vault, actor, user)
  },

  remove: async ({ db, actor }, { query }) => {
    const organization = administerOrganization(actor)
    const { id } = query.user
    if (query.erase) {
      await erase(db, organization, id)
      return { status: 200, message: `The user ${id} was erased.` }
    }

    const { email } = await remove(db, organization, id)
    return { status: 200, message: `The user ${email} was deleted.` }
  },

  me: async ({ db, actor, services }) => toCaller(services.vault, actor, await getCaller(db, enterOrganization(actor))),

  updateMe: async ({ db, actor, services }, { body }) => {
    const organization = enterOrganization(actor)
    const before = await lockUser(db, organization, actor.id)
    const { email, ...rest } = body.user
    const newEmail = email === undefined || isSameAddress(email, before.email) ? undefined : email
    const now = newEmail === undefined ? body.user : rest

    const { company, title } = await getCaller(db, organization)
    const changes = changesBetween({ ...factsOf(before), company, title }, now)
    if (changes) await recordOwn(db, organization, 'account_updated', changes)
    await updateCaller(db, organization, now)
    if (changes?.['first_name'] || changes?.['last_name']) await tellOfName(db, organization, before)
    if (newEmail !== undefined)
      await askForEmail(db, organization, { before, newEmail, publicUrl: services.config.publicUrl })

    return toCaller(services.vault, actor, await getCaller(db, organization))
  },

  confirmEmail: async ({ db, actor, services }, { body }) => {
    const organization = enterOrganization(actor)
    const before = await lockUser(db, organization, actor.id)
    const email = await redeemEmailCode(db, services.vault, organization, body.code)

    await completeEmailChange(db, organization, email)
    await deleteSessions(db, organization, actor.session_id)
    const changes = { email: { before: before.email, after: email } }
    await recordOwn(db, organization, 'email_changed', changes)
    await enqueueChanged(db, before.email, email, services.config.publicUrl)

    return toCaller(services.vault, actor, await getCaller(db, organization))
  },

  resendEmailCode: async ({ db, actor, services }) => {
    const organization = enterOrganization(actor)
    const before = await lockUser(db, organization, actor.id)
    const { email: newEmail } = await getEmailChange(db, organization)
    await askForEmail(db, organization, { before, newEmail, publicUrl: services.config.publicUrl })
    return toCaller(services.vault, actor, await getCaller(db, organization))
  },

  cancelEmailChange: async ({ db, actor, services }) => {
    const organization = enterOrganization(actor)
    await lockUser(db, organization, actor.id)
    const { email } = await getEmailChange(db, organization)
    await deleteEmailChange(db, organization.id, actor.id)
    await recordOwn(db, organization, 'email_kept', removed({ pending_email: email }))
    return toCaller(services.vault, actor, await getCaller(db, organization))
  },

  remind: async (context, { params, body }) => {
    const { actor, services } = context
    const user =
      body.workspace_id === undefined
        ? await remindOfOrganization(context, params.id, body.message)
        : await remindOfWorkspace(context, body.workspace_id, params.id, body.message)
    return toUser(services.vault, actor, user)
  },

  signIn: async ({ db, actor, services }) =>
    toCaller(services.vault, actor, await activateCaller(db, enterOrganization(actor))),

  workspaces: async ({ db, actor }) => ({ workspaces: await listEnterableWorkspaces(db, enterOrganization(actor)) }),

  news: async ({ db, actor }) => ({
    workspaces: await listNews(db, await enterLatestWorkspaces(db, actor, NEWS_WORKSPACES)),
  }),

  expirations: async ({ db, actor }) => ({ expirations: await listExpirations(db, enterOrganization(actor)) }),
}

/** Does the same for every address, whether or not it belongs to an account. */
async function askForEmail(
  db: Db,
  organization: Organization,
  { before, newEmail, publicUrl }: { before: UserRow; newEmail: string; publicUrl: string },
): Promise<void> {
  await requestEmailChange(db, organization, newEmail)
  await recordOwn(db, organization, 'email_asked', created({ pending_email: newEmail }))
  await enqueueChangeAsked(db, before.email, newEmail, publicUrl)
}

/** Workspace admins find the change in the feed. Until one of them accepts it, marks keep the former name. */
async function tellOfName(db: Db, organization: Organization, before: UserRow): Promise<void> {
  const after = await getUser(db, organization, before.id)
  const memberships = await keepMarkedName(db, organization, before, after)
  const act = { act: 'name_changed', ...naming({ ...after, id: before.id }, { former_user: nameOf(before) }) } as const
  const acts = memberships.map(({ id, workspace_id }) => ({ ...act, workspace_id, subject_id: id }))
  await recordIn(db, organization.actor, acts)
}

type OwnAct = 'account_updated' | 'email_asked' | 'email_changed' | 'email_kept'

async function recordOwn(db: Db, organization: Organization, act: OwnAct, changes: Changes): Promise<void> {
  await recordForOrganization(db, organization, { act, subject_id: organization.actor.id, changes })
}

async function remove(db: Db, organization: AdministeredOrganization, userId: number): Promise<UserRow> {
  const { user, left } = await deleteUser(db, organization, userId)
  const leaving = { act: 'member_removed', ...naming(user), changes: removed({ user_id: user.id }) } as const
  await recordIn(
    db,
    organization.actor,
    left.map(({ workspace_id, id }) => ({ ...leaving, workspace_id, subject_id: id })),
  )
  await recordForOrganization(db, organization, {
    act: 'user_deleted',
    ...naming(user),
    subject_id: user.id,
    changes: removed(factsOf(user)),
  })
  return user
}

async function erase(db: Db, organization: AdministeredOrganization, userId: number): Promise<void> {
  if (!(await isDeleted(db, organization, userId))) await remove(db, organization, userId)
  await eraseUser(db, organization, userId)
  const params = { id: String(userId) }
  await recordForOrganization(db, organization, { act: 'user_erased', params, subject_id: userId })
}

async function remindOfOrganization({ db, actor, services }: Context, userId: number, message: string | undefined) {
  const organization = administerOrganization(actor)
  const user = await getUser(db, organization, userId)
  refuseActive(user)
  await recordForOrganization(db, organization, { act: 'user_reminded', ...naming(user), subject_id: user.id })
  await enqueueReminder(db, actor, { to: user.email, message, url: services.config.publicUrl })
  return user
}

async function remindOfWorkspace(
  { db, actor, services }: Context,
  workspaceId: number,
  userId: number,
  message: string | undefined,
) {
  const workspace = await administerWorkspace(db, actor, workspaceId)
  const { membership_id, is_uninvited, has_come, suppressed, ...user } = await getMember(db, workspace, userId)
  if (has_come) throw unprocessable('id', 'not_active_yet')
  if (suppressed) throw refusal('mails_suppressed')
  const act = is_uninvited ? 'member_invited' : 'member_reminded'
  await record(db, workspace, { act, ...naming(user), subject_id: membership_id })
  await remindMember(db, workspace, services.config.publicUrl, user, message)
  return user
}

function factsOf({ email, first_name, last_name, time_zone }: UserRow) {
  return { email, first_name, last_name, time_zone }
}

function refuseActive(user: UserRow): void {
  if (user.status === 'active') throw unprocessable('id', 'not_active_yet')
}
