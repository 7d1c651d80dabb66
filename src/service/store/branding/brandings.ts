import { type RawBuilder, sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import type { Scheme } from '../../../contract/endpoints/looks/accents.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredOrganization, AdministeredWorkspace, Workspace } from '../../access/scopes.ts'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'

export type Branding = Reply<Api['brandings']['get']>
export type BrandingChanges = Input<Api['brandings']['update']>['body']['branding']
type Values = NonNullable<Branding['inherited']>
type Logo = Reply<Api['brandings']['getLogo']>

/** The owner of a branding: an organization or, within it, a workspace. */
export type BrandOwner = AdministeredOrganization | AdministeredWorkspace

export const isWorkspace = (owner: BrandOwner): owner is AdministeredWorkspace => 'organization_id' in owner

const keyOf = (owner: BrandOwner) =>
  isWorkspace(owner)
    ? { organization_id: owner.organization_id, workspace_id: owner.id }
    : { organization_id: owner.id, workspace_id: 0 }

const FIELDS = [
  'display_name',
  'accent_light',
  'accent_dark',
  'sender_name',
  'replies',
  'invitation_language',
  'subject_en',
  'text_en',
  'subject_de',
  'text_de',
] as const
const NOTHING = Object.fromEntries([...FIELDS, 'logo_light', 'logo_dark'].map((field) => [field, null]))

export async function getBranding(db: Db, owner: BrandOwner): Promise<Branding> {
  const { organization_id, workspace_id } = keyOf(owner)
  const rows = await db
    .selectFrom('brandings')
    .select([...FIELDS, 'logo_light_version as logo_light', 'logo_dark_version as logo_dark', 'workspace_id'])
    .where('organization_id', '=', organization_id)
    .where('workspace_id', 'in', [0, workspace_id])
    .execute()
  const valuesOf = (id: number): Values => {
    const { workspace_id: _id, ...values } = rows.find((row) => row.workspace_id === id) ?? { workspace_id: id }
    return { ...NOTHING, ...values } as Values
  }
  return { ...valuesOf(workspace_id), inherited: workspace_id === 0 ? null : valuesOf(0) }
}

/** Returns the own values and locks them, so that what is recorded is what was there before. */
export async function lockBranding(db: Db, owner: BrandOwner): Promise<Values> {
  return db
    .insertInto('brandings')
    .values(keyOf(owner))
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'workspace_id']).doUpdateSet({ updated_at: sql<Date>`now()` }),
    )
    .returning([...FIELDS, 'logo_light_version as logo_light', 'logo_dark_version as logo_dark'])
    .executeTakeFirstOrThrow()
}

export async function updateBranding(db: Db, owner: BrandOwner, changes: BrandingChanges): Promise<void> {
  await write(db, owner, changes)
}

/** @param picture null to remove the logo */
export async function updateLogo(
  db: Db,
  owner: BrandOwner,
  scheme: Scheme,
  picture: { png: Buffer; version: string } | null,
): Promise<void> {
  const [png, version] = [picture?.png ?? null, picture?.version ?? null]
  await write(
    db,
    owner,
    scheme === 'light'
      ? { logo_light: png, logo_light_version: version }
      : { logo_dark: png, logo_dark_version: version },
  )
}

type Columns = BrandingChanges & {
  logo_light?: Buffer | null
  logo_light_version?: string | null
  logo_dark?: Buffer | null
  logo_dark_version?: string | null
}

async function write(db: Db, owner: BrandOwner, columns: Columns): Promise<void> {
  const { organization_id, workspace_id } = keyOf(owner)
  await db
    .updateTable('brandings')
    .set({ ...columns, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', organization_id)
    .where('workspace_id', '=', workspace_id)
    .execute()
}

/**
 * The brandings of workspaces `w` and of their organizations: `own` and `shared`. Logos are taken as a set, because the
 * logo of an organization for one scheme does not go with that of a workspace for the other.
 */
export const joinBrandings = sql`
  left join brandings own on own.organization_id = w.organization_id and own.workspace_id = w.id
  left join brandings shared on shared.organization_id = w.organization_id and shared.workspace_id = 0`

export const hasOwnLogo = sql`(own.logo_light_version is not null or own.logo_dark_version is not null)`

export const logoVersion = (scheme: Scheme): RawBuilder<unknown> => {
  const column = sql.ref(`logo_${scheme}_version`)
  return sql`case when ${hasOwnLogo} then own.${column} else shared.${column} end`
}

/** What members see: null where nothing is set. */
export const lookColumn = sql`case when coalesce(own.display_name, own.accent_light, own.accent_dark,
    own.logo_light_version, own.logo_dark_version, shared.display_name, shared.accent_light, shared.accent_dark,
    shared.logo_light_version, shared.logo_dark_version) is not null then json_build_object(
  'display_name', coalesce(own.display_name, shared.display_name),
  'accent_light', coalesce(own.accent_light, shared.accent_light),
  'accent_dark', coalesce(own.accent_dark, shared.accent_dark),
  'logo_light', ${logoVersion('light')}, 'logo_dark', ${logoVersion('dark')}) end as look`

/** The logos of a workspace as base64, in JSON. */
export const logosColumn = sql`json_build_object(
  'light', translate(encode(case when ${hasOwnLogo} then own.logo_light else shared.logo_light end, 'base64'), E'\n', ''),
  'dark', translate(encode(case when ${hasOwnLogo} then own.logo_dark else shared.logo_dark end, 'base64'), E'\n', '')
) as logos`

/** @throws ApiError 404 without a logo for the scheme */
export async function getLogo(db: Db, workspace: Workspace, scheme: Scheme): Promise<Logo> {
  const png = sql.ref(`logo_${scheme}`)
  const { rows } = await sql<StoredLogo>`
    select case when ${hasOwnLogo} then own.${png} else shared.${png} end as png, ${logoVersion(scheme)} as version
    from workspaces w ${joinBrandings}
    where w.organization_id = ${workspace.organization_id} and w.id = ${workspace.id}`.execute(db)
  return shown(rows[0])
}

/** @throws ApiError 404 without a logo for the scheme */
export async function getOrganizationLogo(db: Db, { id }: AdministeredOrganization, scheme: Scheme): Promise<Logo> {
  const { rows } = await sql<StoredLogo>`
    select ${sql.ref(`logo_${scheme}`)} as png, ${sql.ref(`logo_${scheme}_version`)} as version from brandings
    where organization_id = ${id} and workspace_id = 0`.execute(db)
  return shown(rows[0])
}

interface StoredLogo {
  png: Buffer | null
  version: string | null
}

function shown(found: StoredLogo | undefined): Logo {
  if (!found?.png || found.version === null) throw notFound()
  return { content_type: 'image/png', image: found.png.toString('base64'), version: found.version }
}
