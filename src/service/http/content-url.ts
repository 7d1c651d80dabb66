import type { Scope } from '../../contract/scopes.ts'
import type { Workspace } from '../access/scopes.ts'
import type { PageSize } from '../documents/page-images.ts'
import { notFound } from '../errors.ts'
import type { Sealer } from '../secrets.ts'

/** What an expiring URL stands for. It is bound to all of it; rights are checked again when it is fetched. */
export type ContentClaim = {
  organization_id: number
  workspace_id: number
  user_id: number
  /** Of the personal API key that asked for it, if any. */
  personal_key_id: number | null
  /** The scope under which that key asked, and the stamp of the secret that it signed with. */
  scope?: Scope | 'any' | undefined
  secret_stamp?: string | undefined
  /** Of the dashboard's session that asked for it, if any; absent in URLs from before there were sessions. */
  session_id?: number | null
  /** Unix seconds. */
  expires: number
  /** It is of an earlier version, which only who manages files may have. */
  earlier?: true
} & (
  | { action: 'download'; file_id: number; version: number }
  | { action: 'stamped'; file_id: number; stamped_id: number }
  | { action: 'zip'; download_id: number }
  | { action: 'page'; file_id: number; version: number; page: number; size: PageSize }
)

/** Life of an expiring URL (decisions, section 7). */
const URL_SECONDS = 15 * 60

/** Whom an expiring URL is made for, and until when. */
export function holderOf({ id, organization_id, actor }: Workspace) {
  const expires = Math.floor(actor.now.getTime() / 1000) + URL_SECONDS
  const { id: personal_key_id = null, used_scope: scope, secret_stamp } = actor.personal_key ?? {}
  const asked = { personal_key_id, scope, secret_stamp, session_id: actor.session_id ?? null }
  return { organization_id, workspace_id: id, user_id: actor.id, ...asked, expires }
}

export interface ContentUrls {
  /** Absolute URL below PUBLIC_URL. */
  make(claim: ContentClaim): string
  /** @throws ApiError 404 for anything not made here; expiry is the reader's to check */
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
      // Decoding passes over what is no part of the bytes; an URL with anything added was not made here.
      if (bytes.toString('base64url') !== token) throw notFound()
      try {
        return JSON.parse(sealer.open(bytes)) as ContentClaim
      } catch {
        throw notFound()
      }
    },
  }
}
