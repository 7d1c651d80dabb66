import { sql } from 'kysely'
import type { Language } from '../../../contract/endpoints/deal/notifications.ts'
import { isWorkspaceAdmin } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { joinBrandings } from './brandings.ts'

/** How the mails of a workspace look and who they are from; null: as the installation has it. */
export interface Sender {
  organization_name: string
  display_name: string | null
  accent: string | null
  sender_name: string | null
  /** Address of the contact who gets replies. */
  reply_to: string | null
  invitation_language: Language | null
  texts: Record<Language, { subject: string | null; text: string | null }>
}

/** @param workspaceId 0 for mails of the organization */
export async function findSender(db: Db, organizationId: number, workspaceId: number): Promise<Sender | undefined> {
  const { rows } = await sql<Sender>`
    select o.name as organization_name, coalesce(own.display_name, shared.display_name) as display_name,
      coalesce(own.accent_light, shared.accent_light) as accent,
      coalesce(own.sender_name, shared.sender_name) as sender_name,
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

/** The name that mails of a workspace are from, or null for that of the installation. */
export async function findSenderName(db: Db, workspaceId: number): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`
    select coalesce(own.sender_name, shared.sender_name) as name from workspaces w ${joinBrandings}
    where w.id = ${workspaceId}`.execute(db)
  return rows[0]?.name ?? null
}
