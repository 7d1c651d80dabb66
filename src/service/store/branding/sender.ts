import { sql } from 'kysely'
import type { Language } from '../../../contract/endpoints/deal/notifications.ts'
import type { Scheme } from '../../../contract/endpoints/looks/accents.ts'
import { isWorkspaceAdmin } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { hasOwnLogo, joinBrandings, logoVersion } from './brandings.ts'

/** How mails look and who they are from; null: as the installation has it. */
interface Look {
  display_name: string | null
  accent_light: string | null
  accent_dark: string | null
  sender_name: string | null
}

/** `workspace_id` 0: the organization itself. */
export interface BrandedPlace {
  organization_id: number
  workspace_id: number
}

export type RoomLook = Look & BrandedPlace

export interface Sender extends Look {
  organization_name: string
  /** Address of the contact who gets replies. */
  reply_to: string | null
  invitation_language: Language | null
  texts: Record<Language, { subject: string | null; text: string | null }>
}

const lookColumns = sql`coalesce(own.display_name, shared.display_name) as display_name,
  coalesce(own.accent_light, shared.accent_light) as accent_light,
  coalesce(own.accent_dark, shared.accent_dark) as accent_dark,
  coalesce(own.sender_name, shared.sender_name) as sender_name`

/** @param workspaceId 0 for mails of the organization */
export async function findSender(db: Db, organizationId: number, workspaceId: number): Promise<Sender | undefined> {
  const { rows } = await sql<Sender>`
    select o.name as organization_name, ${lookColumns},
      coalesce(own.invitation_language, shared.invitation_language) as invitation_language,
      case when coalesce(own.replies, shared.replies) = 'contact' then c.email end as reply_to,
      json_build_object(
        'en', json_build_object('subject', coalesce(own.subject_en, shared.subject_en),
          'text', coalesce(own.text_en, shared.text_en)),
        'de', json_build_object('subject', coalesce(own.subject_de, shared.subject_de),
          'text', coalesce(own.text_de, shared.text_de))) as texts
    from organizations o
    left join workspaces w on w.organization_id = o.id and w.id = ${workspaceId}
    left join brandings own on own.organization_id = o.id and own.workspace_id = w.id
    left join brandings shared on shared.organization_id = o.id and shared.workspace_id = 0
    left join users c on c.organization_id = o.id and c.id = w.contact_user_id and c.deleted_at is null
      and ${isWorkspaceAdmin(sql`w.id`, sql`c.id`)}
    where o.id = ${organizationId}`.execute(db)
  return rows[0]
}

/** How the mails of workspaces look, by the ids of these. */
export async function findLooks(db: Db, workspaceIds: readonly number[]): Promise<Map<number, RoomLook>> {
  const { rows } = await sql<RoomLook>`
    select w.organization_id, w.id as workspace_id, ${lookColumns} from workspaces w ${joinBrandings}
    where w.id = any(${workspaceIds})`.execute(db)
  return new Map(rows.map((row) => [row.workspace_id, row]))
}

export async function findLook(db: Db, workspaceId: number): Promise<RoomLook | undefined> {
  return (await findLooks(db, [workspaceId])).get(workspaceId)
}

interface FoundLogo {
  png: Buffer
  version: string
  scheme: Scheme
  /** "" if a name stands beside it. */
  alt: string
}

/** The logo for a light background, or else the one for a dark background. */
export async function findMailLogo(
  db: Db,
  { organization_id, workspace_id }: BrandedPlace,
): Promise<FoundLogo | undefined> {
  const { rows } = await sql<FoundLogo>`
    select case scheme when 'light' then found.light else found.dark end as png, version, scheme, alt from (
      select case when ${hasOwnLogo} then own.logo_light else shared.logo_light end as light,
        case when ${hasOwnLogo} then own.logo_dark else shared.logo_dark end as dark,
        coalesce(${logoVersion('light')}, ${logoVersion('dark')}) as version,
        case when ${logoVersion('light')} is not null then 'light' else 'dark' end as scheme,
        case when coalesce(own.display_name, shared.display_name) is not null then '' else coalesce(
          (select w.name from workspaces w where w.organization_id = o.id and w.id = ${workspace_id}), o.name) end as alt
      from organizations o
      left join brandings own on own.organization_id = o.id and own.workspace_id = ${workspace_id} and own.workspace_id <> 0
      left join brandings shared on shared.organization_id = o.id and shared.workspace_id = 0
      where o.id = ${organization_id}
    ) found where version is not null`.execute(db)
  const [found] = rows
  return found?.png ? found : undefined
}
