import type { RawBuilder } from 'kysely'
import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import type { QuestionReach, QuestionStatus } from '../../contract/endpoints/deal/questions.ts'
import type { PdfDelivery } from '../../contract/endpoints/watermarks.ts'
import type { Numbering } from '../../contract/endpoints/workspaces.ts'
import type { Actor } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'

/**
 * Authorization as a value: store functions require a scope, and only the files in `enter/` make scopes, each by a cast
 * behind the check that its name promises. The brand exists only in types. Each stronger scope also counts as the weaker
 * one.
 *
 * A resource that the caller cannot see gives 404, and a forbidden action on a visible resource gives 403.
 */
declare const brand: unique symbol
type Branded<Name extends string> = { readonly [brand]: { readonly [key in Name]: true } }

/** The caller's own organization. */
export type Organization = { readonly id: number; readonly actor: Actor } & Branded<'Organization'>
export type AdministeredOrganization = Organization & Branded<'AdministeredOrganization'>

/** The whole installation, which admins of its first organization may look at. */
export type Installation = { readonly db: Db; readonly actor: Actor } & Branded<'Installation'>

/** A team the caller may see. */
export type Team = {
  readonly id: number
  readonly name: string
  readonly organization_id: number
  readonly team_owner_id: number
  readonly owner: boolean
  readonly member: boolean
  readonly allowed_workspaces: number
  readonly allowed_admins: number
  readonly drm_enabled: boolean
  readonly watermarking: boolean
  readonly suppress_emails: boolean
  readonly actor: Actor
} & Branded<'Team'>
/** A team the caller belongs to. */
export type MemberTeam = Team & Branded<'MemberTeam'>

/** A team the caller owns. */
export type OwnedTeam = MemberTeam & Branded<'OwnedTeam'>

/** A watermark of a team the caller belongs to. */
export type Watermark = { readonly id: number; readonly team: MemberTeam } & Branded<'Watermark'>

/** A workspace the caller is a member of, seen from outside: terms may await that stand before everything in it. */
export type Threshold = {
  readonly id: number
  readonly organization_id: number
  readonly team_id: number
  readonly name: string
  /** The versions of terms that bind the caller; admins are not bound by them. */
  readonly terms_ids: readonly number[]
  readonly awaits_terms: boolean
  /** The caller is in the Workspace Admins group. */
  readonly admin: boolean
  readonly actor: Actor
} & Branded<'Threshold'>

/** A PDF of terms that the caller may read, and save as it is. */
export type TermsPdf = {
  readonly id: number
  readonly blob_id: string
  readonly file_name: string
  readonly size: number
  readonly sha256: Buffer
  readonly damaged: boolean
  readonly page_widths: number[]
  readonly page_heights: number[]
  readonly threshold: Threshold
} & Branded<'TermsPdf'> &
  UnmarkedPages

/** A workspace the caller is a member of, and whose terms they have accepted. */
export type Workspace = {
  readonly id: number
  readonly organization_id: number
  readonly team_id: number
  readonly name: string
  /** The caller is in the Workspace Admins group. */
  readonly admin: boolean
  /** The caller is a member of the parent team. */
  readonly team_member: boolean
  /** Groups of the caller that grant rights today, without expired ones. */
  readonly group_ids: readonly number[]
  /** The groups among `group_ids` whose members may manage files where they may upload. */
  readonly managing_group_ids: readonly number[]
  /** Those of them that have DRM. */
  readonly sealing_group_ids: readonly number[]
  readonly numbering: Numbering
  readonly actor: Actor
} & Branded<'Workspace'>
export type AdministeredWorkspace = Workspace & Branded<'AdministeredWorkspace'>

/**
 * By what a statement judges what somebody sees of a workspace: a caller's scope, or a member whose active groups the
 * statement itself reads (`standingIn`).
 */
export type Reader = Pick<Workspace, 'admin'> & {
  readonly id: number | RawBuilder<unknown>
  readonly group_ids: readonly number[] | RawBuilder<unknown>
}

export interface Rights {
  readonly view: boolean
  readonly download: boolean
  readonly upload: boolean
}

type FolderFacts = {
  readonly id: number
  readonly parent_id: number
  readonly name: string
  readonly index: number
  readonly id_path: readonly number[]
  readonly workspace: Workspace
  /** The caller's rights here: all of them for an admin. */
  readonly rights: Rights
  /** The folder cannot be viewed, but something below it can: only its name and place are shown. */
  readonly path_node: boolean
  /** The caller may rename, reindex and delete its files. */
  readonly manages_files: boolean
  /** The caller's downloads of its files are sealed copies. */
  readonly sealed: boolean
  /** With the other facts, decides everything that a list of the folder shows. Null if the request does not list it. */
  readonly listed_state: string | null
  /** The folder is a draft or in one. Only workspace admins enter such folders. */
  readonly in_draft: boolean
}

/** A folder the caller can at least pass through. */
export type VisibleFolder = FolderFacts & Branded<'VisibleFolder'>
export type ReadableFolder = VisibleFolder & Branded<'ReadableFolder'>
export type UploadableFolder = ReadableFolder & Branded<'UploadableFolder'>
/** Only workspace admins manage folders. */
export type ManagedFolder = UploadableFolder & Branded<'ManagedFolder'>

type FileFacts = {
  readonly id: number
  readonly folder: ReadableFolder
  readonly infected: boolean | null
  /** Waits for its scan. */
  readonly held: boolean
}

export type ReadableFile = FileFacts & Branded<'ReadableFile'>
/** A file in whose pages the caller may find words, without having their text. */
export type FindableFile = ReadableFile & Branded<'FindableFile'>
/** A file whose text the caller may have, page by page. */
export type SelectableFile = FindableFile & Branded<'SelectableFile'>
/** A file the caller may download in some form: plain, marked or sealed. On its own it gives no bytes. */
export type DownloadableFile = ReadableFile & Branded<'DownloadableFile'>
/** A file whose original bytes the caller may have: neither DRM nor a watermark protects it. */
export type PlainFile = DownloadableFile & Branded<'PlainFile'>
/** A file the caller may have with their mark, delivered at least as strictly as `pdf_delivery`. */
export type MarkedFile = DownloadableFile & { readonly pdf_delivery: PdfDelivery } & Branded<'MarkedFile'>
/** Permission to open page images without a mark: for exempt readers, and for the code that adds the mark itself. */
export type UnmarkedPages = Branded<'UnmarkedPages'>
/** A file the caller may rename, reindex and delete. */
export type ManagedFile = ReadableFile & Branded<'ManagedFile'>

/** Folders and files whose content the caller may download, at least one. */
export type Selection = {
  readonly workspace: Workspace
  readonly folder_ids: readonly number[]
  readonly file_ids: readonly number[]
  /** The id paths of the folders, and of the folders of the files. */
  readonly paths: ReadonlyMap<number, readonly number[]>
} & Branded<'Selection'>

/** A download that the caller asked for. */
export type Download = {
  readonly id: number
  readonly status: 'building_directory' | 'processing' | 'done' | 'failed' | 'expired'
  /** Size and etag of the zip; 0 and "" until it is done. */
  readonly size: number
  readonly etag: string
  readonly workspace: Workspace
} & Branded<'Download'>

/** A chunked upload that the caller began. */
export type Upload = {
  readonly id: number
  readonly folder_id: number
  readonly workspace: Workspace
} & Branded<'Upload'>
/** An upload whose folder still takes uploads of the caller. */
export type ContinuedUpload = Upload & Branded<'ContinuedUpload'>

/** A sealed copy as the admins of its workspace see it. */
export type SealedCopy = {
  readonly copy_id: string
  readonly file_id: number
  readonly user_id: number
  readonly workspace: AdministeredWorkspace
} & Branded<'SealedCopy'>

type GroupFacts = {
  readonly id: number
  readonly name: string
  readonly kind: Reply<Api['groups']['get']>['kind']
  readonly is_draft: boolean
  readonly workspace: Workspace
}

/** A group the caller can see: any group for an admin, only own groups for other members. */
export type Group = GroupFacts & Branded<'Group'>
export type AdministeredGroup = Group & { readonly workspace: AdministeredWorkspace } & Branded<'AdministeredGroup'>

type QuestionFacts = {
  readonly id: string
  readonly status: QuestionStatus
  readonly subject: string
}

/** A question that a group of the caller asked, locked. */
export type OwnQuestion = QuestionFacts & { readonly workspace: Workspace } & Branded<'OwnQuestion'>
/** A question as the admins of its workspace see it, locked. */
export type ManagedQuestion = QuestionFacts & {
  readonly text: string
  readonly category: string | null
  readonly assignee_id: number | null
  readonly approver_id: number | null
  readonly draft: string
  readonly drafted_at: string | null
  readonly answer: string
  readonly answered_at: string | null
  readonly reach: QuestionReach
  /** 0 for an entry of the FAQ that admins wrote. */
  readonly group_number: number
  /** The place among the FAQ. */
  readonly faq: number | null
  readonly workspace: AdministeredWorkspace
} & Branded<'ManagedQuestion'>

/** A question that was passed to the caller as an expert, locked. */
export type PassedQuestion = QuestionFacts & {
  readonly workspace: Workspace
  /** When the expert was asked last. */
  readonly asked_at: string
  /** How often the expert has replied since. */
  readonly replies: number
} & Branded<'PassedQuestion'>

/** A group of the caller that may ask `most` questions within `days`, or at all. */
export type AskingGroup = {
  readonly id: number
  readonly name: string
  readonly most: number
  readonly days: number | null
  readonly workspace: Workspace
} & Branded<'AskingGroup'>
