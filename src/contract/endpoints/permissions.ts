import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id, idPath, optionalPage, optionalPerPage, timestamp } from '../fields.ts'
import { filePages, fileSearch, fileSearchResult, somePages } from './files.ts'
import { folderContent, folderSearch, folderSearchResult, numberedPath } from './folders.ts'
import { TEXT_LAYERS } from './groups.ts'
import { INVITATION_STATES } from './workspaces.ts'

export const FLAGS = ['view', 'download', 'upload'] as const
export type Flag = (typeof FLAGS)[number]

/** Flags without a value stay as they are. */
export type FlagSetting = { [F in Flag]?: boolean | undefined }

/** Bits of rights in a row of the sheet: one for each flag, then one for each flag that is mixed below. */
export const ALL_BITS: number = (1 << FLAGS.length) - 1
export const MIXED_SHIFT: number = FLAGS.length

/** Rights of one group on one folder. Mixed: some of all descendants have the right and some do not. */
export const folderPermission = z.object({
  /** 0 for "All Folders". */
  id: id(),
  id_tree: id(),
  name: z.string(),
  view: z.boolean(),
  download: z.boolean(),
  upload: z.boolean(),
  position: z.int(),
  index: z.int(),
  is_mixed_view: z.boolean(),
  is_mixed_download: z.boolean(),
  is_mixed_upload: z.boolean(),
  /** Additive from here: "0.32339.36885", "1.1", the parent and the number of direct subfolders. */
  id_path: z.string(),
  outline: z.string(),
  parent_id: id(),
  children: z.int(),
})

const rights = { view: z.boolean(), download: z.boolean(), upload: z.boolean() }

/** Groups side by side in one sheet. */
export const MAX_SHEET_GROUPS = 20
/** Folders whose direct subfolders one request may read. */
export const MAX_SHEET_FOLDERS = 1000

export const sheetRow = z.object({
  /** 0 for "All Folders". */
  id: id(),
  parent_id: id(),
  name: z.string(),
  index: z.int(),
  children: z.int(),
  /**
   * One number for each group, in the requested order: 1 view, 2 download, 4 upload; 8, 16 and 32 where the same right
   * is mixed among all descendants (`bitOf`, `MIXED_SHIFT`).
   */
  rights: z.array(z.int()),
})

const end = () => z.nullable(z.string())

/** A person with rights in a folder, and why. */
export const folderPerson = z.object({
  user: z.object({ id: id(), first_name: z.string(), last_name: z.string(), email: z.string() }),
  /** Workspace admins have every right everywhere. */
  admin: z.boolean(),
  ...rights,
  /** Whether any group that grants the person download here has DRM, or a watermark; false for admins. */
  drm: z.boolean(),
  watermark: z.boolean(),
  /** Additive: whether a group that grants the person view here marks the pages, by a watermark or DRM; false for admins. */
  marked_pages: z.boolean(),
  /** Additive: "YYYY-MM-DD", the first day without a right here; null without an end. */
  until: z.nullable(z.string()),
  /** Additive: the same for each right; null also for a right that the person does not have. */
  ends: z.object({ view: end(), download: end(), upload: end() }),
  /** Additive: when the person last viewed, opened or downloaded the file, or a file that is directly in the folder. */
  last_opened_at: z.nullable(timestamp()),
  /** Additive: how far the person has come in the workspace. */
  invitation_state: z.enum(INVITATION_STATES),
  /** Additive: whether the person is shown nothing until they accept terms. */
  terms_await: z.boolean(),
  /** One for each group and right, with the folder of the grant. */
  reasons: z.array(
    z.object({
      flag: z.enum(FLAGS),
      group_id: id(),
      group_name: z.string(),
      folder_id: id(),
      folder_name: z.string(),
      /** Additive: its number, as in lists; "" for All Folders. */
      folder_outline: z.string(),
    }),
  ),
})

/** Folders of which one request counts the folders below. */
export const MAX_REACH_FOLDERS = 100

/**
 * How many folders below have each right; null where they are not counted: a group has too many overrides there, or several
 * folders are asked for in a workspace with more than 20,000.
 */
const countsBelow = z.object({ view: z.nullable(z.int()), download: z.nullable(z.int()), upload: z.nullable(z.int()) })

/** The rights of groups on a folder and on the folders below it. */
export const folderReach = z.object({
  folder_id: id(),
  /** Number of folders below; null where no group has overrides there, and where they are not counted. */
  folders: z.nullable(z.int()),
  /** Additive: files in the folder and below it; null unless they are asked for, and where folders are not counted. */
  documents: z.nullable(z.int()),
  /** Groups without any right on the folder and below it are left out. */
  groups: z.array(
    z.object({
      group_id: id(),
      ...rights,
      /** Null where all folders below have the same rights, also those added later. */
      below: z.nullable(countsBelow),
    }),
  ),
})

/** The rights of every group on one folder; a folder comes before those below it. */
export const matrixRow = z.object({
  folder_id: id(),
  path: z.string(),
  outline: z.string(),
  groups: z.array(z.object({ group_id: id(), group_name: z.string(), ...rights })),
})

const rightsSet = z.object({
  view: z.optional(z.boolean()),
  download: z.optional(z.boolean()),
  upload: z.optional(z.boolean()),
})

/**
 * Sets rights of one group on a folder and everything below it. As with a grant, download and upload imply view, and
 * revoking view revokes both. `null` instead of rights takes those of the folder above.
 */
export const rightsChange = z.object({ folder_id: id(), group_id: id(), rights: z.nullable(rightsSet) })

/** The same for rights that are staged: none is taken from the folder above. */
export const stagedChange = z.object({ ...rightsChange.shape, rights: rightsSet })

/**
 * The difference on a folder named in a change, after all changes. `below` counts the folders under it that lost
 * overrides of their own.
 */
export const rightsEffect = z.object({
  folder_id: id(),
  path: z.string(),
  numbered_path: numberedPath(),
  group_id: id(),
  group_name: z.string(),
  before: z.object(rights),
  after: z.object(rights),
  below: z.int(),
})

const counts = z.object({ folders: z.int(), files: z.int() })
const countsByRight = z.object({ view: counts, download: counts, upload: counts })

/** Numbers of folders and files where a group or person gains or loses each right. */
const rightsMoved = { gains: countsByRight, loses: countsByRight }

/** The rights that a move or copy would change, by today's groups; workspace admins have every right anyway. */
export const foreseenRights = z.object({
  /** Groups with the most changes first; `total` counts all of them, listed or not. */
  groups: z.object({
    total: z.int(),
    listed: z.array(z.object({ group_id: id(), group_name: z.string(), ...rightsMoved })),
  }),
  people: z.object({
    total: z.int(),
    listed: z.array(
      z.object({
        user: z.object({ id: id(), first_name: z.string(), last_name: z.string(), email: z.string() }),
        ...rightsMoved,
      }),
    ),
  }),
  /** Only a part was examined: all numbers are lower bounds. */
  is_partial: z.boolean(),
})

/** Folders, and files, that one call may move or copy. */
export const MAX_MOVED = 10_000

/** Changes in one call, which is one transaction. */
export const MAX_CHANGES = 10_000

/** Whose view an admin asks for: exactly one of the two. */
const reader = { group_id: z.optional(id()), user_id: z.optional(id()) }

/** What a download of a file is for a reader. */
export const DELIVERIES = ['none', 'original', 'marked', 'sealed'] as const
export type Delivery = (typeof DELIVERIES)[number]

export const fileAsReader = z.object({
  id: id(),
  folder_id: id(),
  /** The reader's pages carry their mark. */
  marked_pages: z.boolean(),
  printable: z.boolean(),
  text_layer: z.enum(TEXT_LAYERS),
  download: z.enum(DELIVERIES),
  /** Why a permitted download would be refused at present. */
  hindrance: z.nullable(z.enum(['infected', 'not_scanned', 'not_prepared', 'unmarkable'])),
})

/** Folders, and files, of which one call may ask what a zip would hold. */
export const MAX_FORESEEN = 100
const foreseenIds = () => z._default(z.array(id()).check(z.maxLength(MAX_FORESEEN)), [])

/** What a zip would hold for a reader: files by their delivery, and what it would leave out, with the reason. */
export const foreseenDownload = z.object({
  original: z.int(),
  marked: z.int(),
  sealed: z.int(),
  left_out: z.object({
    /** Folders without the download right, with everything in them. */
    folders: z.int(),
    infected: z.int(),
    not_scanned: z.int(),
    /** Files that cannot carry a mark, or that have no pages to seal. */
    unmarkable: z.int(),
    unsealable: z.int(),
  }),
})

export const permissions = {
  list: endpoint({
    method: 'GET',
    path: '/permissions/folders/{id}',
    summary: 'Rights of a group on the direct subfolders; for 0, "All Folders" comes first',
    scope: 'permissions:read',
    params: { id: id() },
    query: { workspace_id: id(), group_id: id() },
    success: 200,
    reply: z.array(folderPermission),
  }),
  set: endpoint({
    method: 'PUT',
    path: '/permissions/folders/{id}',
    summary: 'Grant or revoke a right of a group on a folder and everything below it',
    scope: 'permissions:write',
    params: { id: id() },
    body: {
      workspace_id: id(),
      group_id: id(),
      /** `set` comes from the getting-started guide and means grant. */
      verb: z.enum(['grant', 'revoke', 'set']),
      folder_action: z.enum(FLAGS),
    },
    success: 200,
    reply: z.object({ created_at: timestamp(), updated_at: timestamp(), message: z.string() }),
  }),
  /** Additive from here. */
  sheet: endpoint({
    method: 'GET',
    path: '/permissions/sheet',
    summary:
      'Rights of several groups on the direct subfolders of several folders, or on everything below one, in pages',
    scope: 'permissions:read',
    query: {
      workspace_id: id(),
      group_ids: z.array(id()).check(z.minLength(1), z.maxLength(MAX_SHEET_GROUPS)),
      /** Parents of the wanted folders; 0 also lists "All Folders". Omits folders that the caller cannot see. */
      folder_ids: z._default(z.array(id()).check(z.maxLength(MAX_SHEET_FOLDERS)), [0]),
      /** Instead of `folder_ids`: every folder below this one. */
      below: z.optional(id()),
      /** `next` of the previous page. */
      after: z.optional(idPath()),
      /** The rights as they will be once the staged ones are published; for workspace admins. */
      staged: z._default(z.boolean(), false),
    },
    success: 200,
    /** Folders come before those inside them, siblings in any order. `next` is null on the last page. */
    reply: z.object({ rows: z.array(sheetRow), next: z.nullable(z.string()) }),
  }),
  listPeople: endpoint({
    method: 'GET',
    path: '/permissions/folders/{id}/people',
    summary: 'Who may do what in a folder, and which group and folder give it',
    scope: 'permissions:read',
    params: { id: id() },
    query: { workspace_id: id() },
    success: 200,
    reply: z.array(folderPerson),
  }),
  listFilePeople: endpoint({
    method: 'GET',
    path: '/permissions/files/{id}/people',
    summary: 'Who may view a file and do what with it, and which group and folder give it',
    scope: 'permissions:read',
    params: { id: id() },
    query: { workspace_id: id() },
    success: 200,
    reply: z.array(folderPerson),
  }),
  reach: endpoint({
    method: 'GET',
    path: '/permissions/reach',
    summary: 'The rights of groups on some folders, and on how many folders below each',
    scope: 'permissions:read',
    query: {
      workspace_id: id(),
      folder_ids: z.array(id()).check(z.minLength(1), z.maxLength(MAX_REACH_FOLDERS)),
      /** Without ids: all groups but those of the admins. */
      group_ids: z._default(z.array(id()).check(z.maxLength(MAX_SHEET_GROUPS)), []),
      /** The rights as the grid shows them: with those set on drafts, which apply once these are published. */
      as_set: z._default(z.boolean(), false),
      /** With the staged rights too, as if they were published; implies `as_set`. */
      staged: z._default(z.boolean(), false),
      /** Count the files in each folder and below it. */
      documents: z._default(z.boolean(), false),
    },
    success: 200,
    reply: z.array(folderReach),
  }),
  viewAs: endpoint({
    method: 'GET',
    path: '/permissions/folders/{id}/view_as',
    summary: 'A folder as a group or a person sees it; 0 is where they start',
    scope: 'permissions:read',
    params: { id: id() },
    /** Additive: without both of `page` and `per_page`, lists everything. */
    query: { workspace_id: id(), ...reader, page: optionalPage(), per_page: optionalPerPage() },
    success: 200,
    reply: folderContent,
  }),
  /** Additive. */
  viewFileAs: endpoint({
    method: 'GET',
    path: '/permissions/files/{id}/view_as',
    summary: 'How a group or a person gets the pages, the text and the download of a file',
    scope: 'permissions:read',
    params: { id: id() },
    query: { workspace_id: id(), ...reader },
    success: 200,
    reply: fileAsReader,
  }),
  /** Additive. The images are for the caller only, and their marks say that they are a preview. */
  viewPagesAs: endpoint({
    method: 'GET',
    path: '/permissions/files/{id}/view_as/pages',
    summary: 'Images of some pages of a file as a group or a person has them, with their mark as a preview',
    scope: 'files:read',
    params: { id: id() },
    query: { workspace_id: id(), ...reader, ...somePages },
    success: 200,
    reply: filePages,
  }),
  /** Additive. */
  searchFilesAs: endpoint({
    method: 'GET',
    path: '/permissions/search/files',
    summary: 'Find the files that a group or a person would find, with the passages that they would see',
    scope: 'files:read',
    query: { ...fileSearch(), ...reader },
    success: 200,
    reply: z.array(fileSearchResult),
  }),
  /** Additive. */
  searchFoldersAs: endpoint({
    method: 'GET',
    path: '/permissions/search/folders',
    summary: 'Find the folders that a group or a person would find',
    scope: 'folders:read',
    query: { ...folderSearch(), ...reader },
    success: 200,
    reply: z.array(folderSearchResult),
  }),
  /** Additive. */
  downloadAs: endpoint({
    method: 'GET',
    path: '/permissions/download',
    summary: 'What a zip of folders and files would hold for a group or a person; none is made',
    scope: 'permissions:read',
    query: { workspace_id: id(), ...reader, folder_ids: foreseenIds(), file_ids: foreseenIds() },
    success: 200,
    reply: foreseenDownload,
  }),
  matrix: endpoint({
    method: 'GET',
    path: '/permissions/matrix',
    summary: 'The rights of every group on every folder, as JSON lines',
    scope: 'permissions:read',
    query: { workspace_id: id() },
    success: 200,
    reply: z.array(matrixRow),
    jsonLines: true,
  }),
  change: endpoint({
    method: 'POST',
    path: '/permissions/changes',
    summary: 'Make many changes of rights in one transaction, or only see what they would do',
    scope: 'permissions:write',
    body: {
      workspace_id: id(),
      changes: z.array(rightsChange).check(z.minLength(1), z.maxLength(MAX_CHANGES)),
      dry_run: z._default(z.boolean(), false),
      /** The changes are the inverse of earlier ones, and are recorded as an undo. */
      undo: z._default(z.boolean(), false),
    },
    success: 200,
    reply: z.object({
      /** Differences on the named folders after all changes; folders come before those inside them. */
      effects: z.array(rightsEffect),
      /** Changes that restore the previous rights exactly. */
      inverse: z.array(rightsChange),
    }),
  }),
  foresee: endpoint({
    method: 'POST',
    path: '/permissions/foresee',
    summary: 'Who would gain and lose which rights if folders and files were moved or copied; nothing is changed',
    scope: 'permissions:read',
    body: {
      workspace_id: id(),
      verb: z.enum(['move', 'copy']),
      folder_ids: z._default(z.array(id()).check(z.maxLength(MAX_MOVED)), []),
      file_ids: z._default(z.array(id()).check(z.maxLength(MAX_MOVED)), []),
      destination_folder_id: id(),
    },
    success: 200,
    reply: foreseenRights,
  }),
}
