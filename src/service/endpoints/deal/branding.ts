import { hash } from 'node:crypto'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import {
  contrastIn,
  isReadable,
  NEEDED_CONTRAST,
  readableIn,
  SCHEMES,
  type Scheme,
  shownContrast,
} from '../../../contract/endpoints/looks/accents.ts'
import type { Api } from '../../../contract/index.ts'
import { administerOrganization, enterOrganization } from '../../access/enter/organization.ts'
import { administerWorkspace, enterWorkspace } from '../../access/enter/workspace.ts'
import { unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { RenderFault } from '../../documents/render/faults.ts'
import { LOGO } from '../../../contract/endpoints/looks/logo-limits.ts'
import { type Context, type Handlers, inOwnTransaction } from '../../http/context.ts'
import { sampleInvitation } from '../../mail/sample-invitation.ts'
import { enqueue } from '../../jobs/queue.ts'
import { type Changes, changesBetween, recordForAudit, recordForOrganization } from '../../store/audit/audit.ts'
import {
  type BrandingChanges,
  type BrandOwner,
  getBranding,
  getLogo,
  getOrganizationLogo,
  isWorkspace,
  lockBranding,
  updateBranding,
  updateLogo,
} from '../../store/branding/brandings.ts'
import { spendOnTesting } from '../../store/people/mail-budgets.ts'

export const brandings: Handlers<Api['brandings']> = {
  getForOrganization: ({ db, actor }) => getBranding(db, administerOrganization(actor)),

  updateForOrganization: ({ db, actor }, { body }) => update(db, administerOrganization(actor), body.branding),

  getLogoForOrganization: async (context, { query }) => {
    const organization = administerOrganization(context.actor)
    return kept(context, query, await getOrganizationLogo(context.db, organization, query.scheme))
  },

  setLogoForOrganization: inOwnTransaction(async (context, { body }) =>
    setLogo(context, async () => administerOrganization(context.actor), body.logo),
  ),

  previewForOrganization: async ({ db, actor, services }, { body }) =>
    (await sampleInvitation(db, administerOrganization(actor), services.config, body)).shown,

  get: async ({ db, actor }, { params }) => getBranding(db, await administerWorkspace(db, actor, params.id)),

  update: async ({ db, actor }, { params, body }) =>
    update(db, await administerWorkspace(db, actor, params.id), body.branding),

  getLogo: async (context, { params, query }) => {
    const workspace = await enterWorkspace(context.db, context.actor, params.id)
    return kept(context, query, await getLogo(context.db, workspace, query.scheme))
  },

  setLogo: inOwnTransaction(async (context, { params, body }) =>
    setLogo(context, (db) => administerWorkspace(db, context.actor, params.id), body.logo),
  ),

  preview: async ({ db, actor, services }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    return (await sampleInvitation(db, workspace, services.config, body)).shown
  },

  sendTest: async ({ db, actor, services }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    await spendOnTesting(db, actor)
    const { shown, mail } = await sampleInvitation(db, workspace, services.config, body, 'test')
    await enqueue(db, 'mail', { ...mail, to: actor.email }, actor.request_id)
    await recordForAudit(db, workspace, { act: 'test_mail_sent', subject_id: workspace.id })
    return shown
  },
}

async function update(db: Db, owner: BrandOwner, sent: BrandingChanges) {
  for (const scheme of SCHEMES) requireReadable(scheme, sent[`accent_${scheme}`])
  const changes = changesBetween(await lockBranding(db, owner), sent)
  if (changes) {
    await updateBranding(db, owner, sent)
    await record(db, owner, changes)
  }
  return getBranding(db, owner)
}

/** @throws ApiError 422 with the nearest colour that would do */
function requireReadable(scheme: Scheme, colour: string | null | undefined): void {
  if (!colour || isReadable(scheme, colour)) return
  const contrast = shownContrast(contrastIn(scheme, colour))
  const params = { contrast, needed: NEEDED_CONTRAST, readable: readableIn(scheme, colour) }
  throw unprocessable(`branding.accent_${scheme}`, 'contrast', params)
}

async function record(db: Db, owner: BrandOwner, changes: Changes): Promise<void> {
  if (isWorkspace(owner)) await recordForAudit(db, owner, { act: 'branding_updated', subject_id: owner.id, changes })
  else
    await recordForOrganization(db, enterOrganization(owner.actor), {
      act: 'organization_branding_updated',
      subject_id: owner.id,
      changes,
    })
}

type SentLogo = Input<Api['brandings']['setLogo']>['body']['logo']

/** Draws the picture before the transaction, so that no connection waits for it. */
async function setLogo(
  { db, actor, services }: Context,
  enter: (at: Db) => Promise<BrandOwner>,
  { scheme, image }: SentLogo,
) {
  await enter(db)
  const png = image === null ? null : await draw(services.renderer, Buffer.from(image, 'base64'), actor.id)
  const picture = png && { png, version: hash('sha256', png) }
  const field = `logo_${scheme}` as const
  return transaction(db, async (tx) => {
    const owner = await enter(tx)
    const changes = changesBetween(await lockBranding(tx, owner), { [field]: picture?.version ?? null })
    if (changes) {
      await updateLogo(tx, owner, scheme, picture)
      await record(tx, owner, changes)
    }
    return getBranding(tx, owner)
  })
}

/** @throws ApiError 422 with the reason */
async function draw(renderer: Context['services']['renderer'], picture: Buffer, user: number): Promise<Buffer> {
  const refuse = (rule: 'logo_format' | 'logo_readable') => unprocessable('logo.image', rule)
  if (!isPicture(picture)) throw refuse('logo_format')
  try {
    return Buffer.from(await renderer.drawLogo(picture, { user }))
  } catch (error) {
    if (!(error instanceof RenderFault)) throw error
    if (error.fault === 'pixels') throw unprocessable('logo.image', 'logo_pixels', { limit: LOGO.maxSide })
    throw refuse('logo_readable')
  }
}

const PICTURE = /^(?:89504e470d0a1a0a|ffd8ff|52494646.{8}57454250)/

/** The first bytes decide: names and types that a client sends are not even taken. */
const isPicture = (bytes: Buffer): boolean =>
  PICTURE.test(bytes.toString('hex', 0, 12)) || bytes.toString('latin1', 0, 1024).includes('<svg')

/** A picture that is named by its hash never changes, so the browser of the caller may keep it. */
function kept(
  { setHeaders }: Context,
  { version }: { version?: string | undefined },
  logo: Reply<Api['brandings']['getLogo']>,
) {
  if (version === logo.version) setHeaders({ 'Cache-Control': 'private, max-age=31536000, immutable' })
  return logo
}
