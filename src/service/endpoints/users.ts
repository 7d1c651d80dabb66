import type { Api } from '../../contract/index.ts'
import { administer, administerOrganization, enterOrganization } from '../access/enter.ts'
import type { AdministeredOrganization } from '../access/scopes.ts'
import { nameOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { unprocessable } from '../errors.ts'
import type { Context, Handlers } from '../http/context.ts'
import { enqueueInvitation } from '../mail/invitation.ts'
import { record, recordIn } from '../store/activities.ts'
import { changesBetween, naming, recordForOrganization, removed } from '../store/audit.ts'
import { listExpirations } from '../store/expirations.ts'
import { eraseUser, isDeleted } from '../store/user-erasure.ts'
import { deleteUser } from '../store/user-removal.ts'
import { activateCaller, getUser, insertUser, lockUser, toUser, updateCaller, type UserRow } from '../store/users.ts'
import { getMember } from '../store/workspace-memberships.ts'
import { listEnterableWorkspaces } from '../store/workspaces.ts'

export const users: Handlers<Api['users']> = {
  create: async ({ db, actor, services }, { body }) => {
    const user = await insertUser(db, services.vault, administerOrganization(actor), body.user)
    await enqueueInvitation(db, { to: user.email, inviter: nameOf(actor), url: services.config.publicUrl })
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

  me: async ({ db, actor, services }) =>
    toUser(services.vault, actor, await getUser(db, enterOrganization(actor), actor.id)),

  updateMe: async ({ db, actor, services }, { body }) => {
    const organization = enterOrganization(actor)
    const changes = changesBetween(factsOf(await lockUser(db, organization, actor.id)), body.user)
    if (changes) {
      const subject = { subject_type: 'User', subject_id: actor.id }
      await recordForOrganization(db, organization, {
        verb: 'updated',
        message: 'updated their account',
        ...subject,
        changes,
      })
    }
    return toUser(services.vault, actor, await updateCaller(db, organization, body.user))
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
    toUser(services.vault, actor, await activateCaller(db, enterOrganization(actor))),

  workspaces: async ({ db, actor }) => ({ workspaces: await listEnterableWorkspaces(db, enterOrganization(actor)) }),

  expirations: async ({ db, actor }) => ({ expirations: await listExpirations(db, enterOrganization(actor)) }),
}

async function remove(db: Db, organization: AdministeredOrganization, userId: number): Promise<UserRow> {
  const { user, left } = await deleteUser(db, organization, userId)
  const leaving = {
    verb: 'deleted',
    ...naming(user, (name) => `removed ${name} from this workspace`),
    changes: removed({ user_id: user.id }),
  }
  await recordIn(
    db,
    organization.actor,
    left.map(({ workspace_id, id }) => ({ ...leaving, workspace_id, subject_type: 'Membership', subject_id: id })),
  )
  await recordForOrganization(db, organization, {
    verb: 'deleted',
    ...naming(user, (name) => `deleted the user ${name}`),
    subject_type: 'User',
    subject_id: user.id,
    changes: removed(factsOf(user)),
  })
  return user
}

async function erase(db: Db, organization: AdministeredOrganization, userId: number): Promise<void> {
  if (!(await isDeleted(db, organization, userId))) await remove(db, organization, userId)
  await eraseUser(db, organization, userId)
  const message = `erased the personal data of user ${userId}`
  await recordForOrganization(db, organization, { verb: 'erased', message, subject_type: 'User', subject_id: userId })
}

async function remindOfOrganization({ db, actor, services }: Context, userId: number, message: string | undefined) {
  const organization = administerOrganization(actor)
  const user = await getUser(db, organization, userId)
  refuseActive(user)
  const subject = { subject_type: 'User', subject_id: user.id }
  await recordForOrganization(db, organization, { verb: 'reminded', ...naming(user, reminder), ...subject })
  await enqueueInvitation(db, { to: user.email, inviter: nameOf(actor), message, url: services.config.publicUrl })
  return user
}

async function remindOfWorkspace(
  { db, actor, services }: Context,
  workspaceId: number,
  userId: number,
  message: string | undefined,
) {
  const workspace = await administer(db, actor, workspaceId)
  const { membership_id, ...user } = await getMember(db, workspace, userId)
  refuseActive(user)
  await record(db, workspace, {
    verb: 'reminded',
    ...naming(user, reminder),
    subject_type: 'Membership',
    subject_id: membership_id,
  })
  const url = `${services.config.publicUrl}/workspaces/${workspace.id}`
  await enqueueInvitation(db, { to: user.email, inviter: nameOf(actor), workspace_name: workspace.name, message, url })
  return user
}

const reminder = (name: string) => `reminded ${name}`

function factsOf({ email, first_name, last_name, time_zone }: UserRow) {
  return { email, first_name, last_name, time_zone }
}

function refuseActive(user: UserRow): void {
  if (user.status === 'active') throw unprocessable('id', 'names a user who is active already')
}
