import type { Scope } from '../../contract/scopes.ts'
import type { Reader } from '../access/enter/view-as.ts'
import type { Threshold } from '../access/scopes.ts'
import type { PageSize } from '../documents/pages/page-images.ts'
import { notFound } from '../base/errors.ts'
import type { Sealer } from '../../signing/sealer.ts'

/** The content an expiring URL stands for. The URL is bound to every field; rights are checked again at every fetch. */
export type ContentClaim = {
  organization_id: number
  workspace_id: number
  user_id: number
  personal_key_id: number | null
  /** The scope under which that key asked, and the stamp of the secret it signed with. */
  scope?: Scope | 'any' | undefined
  secret_stamp?: string | undefined
  /** The dashboard session that asked for the URL, if any; absent in URLs from before sessions existed. */
  session_id?: number | null
  /** Unix seconds. */
  expires: number
  /** The version is an earlier one, which requires the right to manage files. */
  earlier?: true
} & (
  | { action: 'download'; file_id: number; version: number }
  | { action: 'stamped'; file_id: number; stamped_id: number }
  | { action: 'zip'; download_id: number }
  /** The only file of a download, which is sealed. */
  | { action: 'sealed'; download_id: number }
  /** With a reader, the page as the group or person has it, for an admin of the workspace. */
  | { action: 'page'; file_id: number; version: number; page: number; size: PageSize; reader?: Reader }
  /** A page of terms that are a PDF, and the PDF itself. They are served while terms await. */
  | { action: 'terms_page'; pdf_id: number; page: number }
  | { action: 'terms_pdf'; pdf_id: number }
)

/** Lifetime of an expiring URL (decisions, section 7). */
const URL_SECONDS = 15 * 60

export function holderOf({ id, organization_id, actor }: Pick<Threshold, 'id' | 'organization_id' | 'actor'>) {
  const expires = Math.floor(actor.now.getTime() / 1000) + URL_SECONDS
  const { id: personal_key_id = null, used_scope: scope, secret_stamp } = actor.personal_key ?? {}
  const asked = { personal_key_id, scope, secret_stamp, session_id: actor.session_id ?? null }
  return { organization_id, workspace_id: id, user_id: actor.id, ...asked, expires }
}

export interface ContentUrls {
  /** Absolute URL below PUBLIC_URL. */
  make(claim: ContentClaim): string
  /** Does not check expiry; the caller must. @throws ApiError 404 for a token that this service did not make */
  read(token: string): ContentClaim
}

export const CONTENT_PREFIX = '/content/'

export function createContentUrls(publicUrl: string, sealer: Sealer): ContentUrls {
  return {
    make(claim) {
      return publicUrl + CONTENT_PREFIX + sealer.seal(JSON.stringify(claim)).toString('base64url')
    },
    read(token) {
      const bytes = Buffer.from(token, 'base64url')
      // Base64 decoding skips foreign characters, so a token with anything added would decode too.
      if (bytes.toString('base64url') !== token) throw notFound()
      try {
        return JSON.parse(sealer.open(bytes)) as ContentClaim
      } catch {
        throw notFound()
      }
    },
  }
}
