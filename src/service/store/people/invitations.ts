import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { readId } from '../../../contract/read-id.ts'
import type { Language } from '../../../contract/endpoints/deal/notifications.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredGroup, AdministeredOrganization, AdministeredWorkspace } from '../../access/scopes.ts'
import { accessEndOf, type Fragment, isUninvited, termsAwaitOn } from '../../access/sql.ts'
import { type Actor, todayOf } from '../../auth/actor.ts'
import { joinBrandings, logosColumn, lookColumn } from '../branding/brandings.ts'
import type { Db } from '../../db/pool.ts'
import { naming } from '../audit/audit.ts'

const VALID_MS = 30 * 24 * 3600_000

type Shown = NonNullable<Reply<Api['signInCodes']['invitation']>['invitation']>

/** A member of a workspace who gets an invitation. */
export interface Invited {
  id: number
  membership_id: number
  email: string
  first_name: string
  last_name: string
}

export const INVITED_AT_A_TIME = 100

export const invitationActs = (invited: readonly Invited[]) =>
  invited.map(({ membership_id, ...user }) => ({
    act: 'member_invited' as const,
    ...naming(user),
    subject_id: membership_id,
  }))

/** Locks the members against being invited twice. */
export async function listUninvited(db: Db, { id, workspace }: AdministeredGroup, limit: number): Promise<Invited[]> {
  const { rows } = await sql<Invited>`
    select u.id, m.id as membership_id, u.email, u.first_name, u.last_name
    from group_memberships gm
    join workspace_memberships m on m.workspace_id = gm.workspace_id and m.user_id = gm.user_id
    join users u on u.organization_id = m.organization_id and u.id = m.user_id
    where gm.workspace_id = ${workspace.id} and gm.group_id = ${id} and ${isUninvited('m')}
    order by m.id limit ${limit} for no key update of m`.execute(db)
  return rows
}

export async function countUninvited(db: Db, { id, workspace }: AdministeredGroup): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from group_memberships gm
    join workspace_memberships m on m.workspace_id = gm.workspace_id and m.user_id = gm.user_id
    where gm.workspace_id = ${workspace.id} and gm.group_id = ${id} and ${isUninvited('m')}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Keeps what members are invited with. An earlier link works until the next mail is sent. */
export async function keepInvitations(
  db: Db,
  { id, actor }: AdministeredWorkspace,
  userIds: readonly number[],
  message: string,
): Promise<void> {
  await sql`
    with kept as (
      insert into invitations as i (workspace_id, user_id, inviter_id, message, invited_at, expires_at)
      select ${id}, user_id, ${actor.id}, ${message}, ${actor.now}, ${new Date(actor.now.getTime() + VALID_MS)}
      from unnest(${userIds}::int[]) invited (user_id)
      on conflict (workspace_id, user_id) do update set invited_at = excluded.invited_at,
        expires_at = excluded.expires_at, inviter_id = excluded.inviter_id, message = case
          when excluded.message = '' and i.inviter_id = excluded.inviter_id then i.message else excluded.message end
    )
    update workspace_memberships set awaits_invitation = false
    where workspace_id = ${id} and user_id = any(${userIds}::int[]) and awaits_invitation`.execute(db)
}

export interface RoomFacts {
  user_id: number
  first_name: string
  /** Of the account, once the person has come in. */
  language: Language | null
  description: string
  expectation: string
  access_ends_at: string | null
  access_has_ended: boolean
  terms_await: boolean
}

/** `(terms)`: whether they await member `m` of workspace `w`. Nothing else of the workspace is told before. */
const awaitsOn = (actor: Actor): Fragment => sql`(select ${termsAwaitOn(todayOf(actor))} as terms)`

/** What the mail tells each of the members about the workspace. */
export async function listRoomFacts(
  db: Db,
  { id, organization_id, actor }: AdministeredWorkspace,
  userIds: readonly number[],
): Promise<RoomFacts[]> {
  const { rows } = await sql<RoomFacts>`
    select invited.user_id, u.first_name, case when u.status = 'active' then u.language end as language, awaits.terms as terms_await,
      case when awaits.terms then '' else w.description end as description,
      case when awaits.terms then '' else w.expectation end as expectation,
      access.ends_at as access_ends_at, coalesce(access.ends_at::date <= ${todayOf(actor)}::date, false) as access_has_ended
    from unnest(${userIds}::int[]) invited (user_id)
    join workspaces w on w.organization_id = ${organization_id} and w.id = ${id}
    join workspace_memberships m on m.workspace_id = w.id and m.user_id = invited.user_id
    join users u on u.organization_id = w.organization_id and u.id = invited.user_id
    cross join lateral ${awaitsOn(actor)} awaits
    cross join lateral (select ${accessEndOf(sql`w.id`, sql`invited.user_id`)} as ends_at) access`.execute(db)
  return rows
}

export interface InvitationKey {
  workspace_id: number
  user_id: number
}

/** Makes the secret of the link of a mail that is about to be sent; undefined if the person has come in or was removed. */
export async function makeSecret(db: Db, { workspace_id, user_id }: InvitationKey): Promise<string | undefined> {
  const secret = randomBytes(32).toString('base64url')
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ token_hash: hashOf(`${workspace_id}.${secret}`) })
    .where('workspace_id', '=', workspace_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? secret : undefined
}

export async function findInvitation(
  db: Db,
  { id, actor }: AdministeredOrganization,
  token: string,
): Promise<Shown | null> {
  const workspaceId = readId(token.split('.')[0])
  if (workspaceId === undefined) return null
  const { rows } = await sql<Shown>`
    select u.email, w.id as workspace_id, w.name as workspace_name, awaits.terms as terms_await,
      case when awaits.terms then '' else w.description end as description,
      case when awaits.terms then '' else w.expectation end as expectation,
      coalesce(nullif(trim(by.first_name || ' ' || by.last_name), ''), by.email) as inviter, i.message, i.invited_at,
      ${accessEndOf(sql`w.id`, sql`u.id`)} as access_ends_at, ${lookColumn}, ${logosColumn}, array(
        select g.name from group_memberships gm join groups g on g.workspace_id = gm.workspace_id and g.id = gm.group_id
        where gm.workspace_id = w.id and gm.user_id = u.id and g.kind <> 'all_members'
          and not awaits.terms order by g.id) as groups
    from invitations i
    join workspaces w on w.organization_id = ${id} and w.id = i.workspace_id
    join users u on u.organization_id = w.organization_id and u.id = i.user_id and u.deleted_at is null
    join workspace_memberships m on m.workspace_id = i.workspace_id and m.user_id = i.user_id
    join users by on by.organization_id = w.organization_id and by.id = i.inviter_id
    cross join lateral ${awaitsOn(actor)} awaits
    ${joinBrandings}
    where i.workspace_id = ${workspaceId} and i.token_hash = ${hashOf(token)} and i.expires_at > ${actor.now}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Removes what expired invitations said. Their members stay invited. */
export async function sweepInvitations(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('invitations').where('expires_at', '<=', now.toISOString()).execute()
}

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
