import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { date, fileName, id, page, perPage, position, timestamp } from '../fields.ts'
import { TEXT_LAYERS } from './groups.ts'

/** Kinds of files by content, as people distinguish them, that search filters by. `other` stands for all other kinds. */
export const FILE_TYPES = ['pdf', 'document', 'spreadsheet', 'presentation', 'image', 'message', 'other'] as const
export type FileType = (typeof FILE_TYPES)[number]

const FILE_KINDS = [...FILE_TYPES, 'drawing', 'video', 'audio', 'archive'] as const
export type FileKind = (typeof FILE_KINDS)[number]
/** Additive, wherever it stands. */
export const fileKind = () => z.enum(FILE_KINDS)

/** A file that others added or changed, as news name it. */
export const newFile = z.object({
  file_id: id(),
  folder_id: id(),
  folder_name: z.string(),
  title: z.string(),
  kind: fileKind(),
  version: z.int(),
})

/** A sentence for people, and additive the row of `shown-sentences.ts` that it comes from, with its parameters. */
export const reason = () => ({
  reason: z.string(),
  reason_code: z.nullable(z.string()),
  reason_params: z.record(z.string(), z.string()),
})

export const viewerStatus = () => z.enum(['Pending', 'Processing', 'Ready', 'Failed', 'Unsupported'])

export const fileCompact = z.object({
  id: id(),
  title: z.string(),
  file_name: z.string(),
  /** Bytes, in decimal. */
  file_size: z.string(),
  file_content_type: z.string(),
  index: z.int(),
  created_at: timestamp(),
  updated_at: timestamp(),
  /** Additive. */
  folder_id: id(),
  version: z.int(),
  pages: z.int(),
  /** Null before a scan. */
  infected: z.nullable(z.boolean()),
  /** The storage has lost or changed the content, which is not delivered. */
  damaged: z.boolean(),
  viewer_status: viewerStatus(),
  kind: fileKind(),
})

/**
 * Additive: the number in the index of the workspace, "2.3.1"; "" for the root. Files continue after the folders beside
 * them. With the numbering `per_reader`, it and the `index` of folders count only what the caller may see.
 */
export const outlined = () => ({
  outline: z.string(),
  /**
   * How many characters at the beginning of the name are a number of another index, "2.1 " of "2.1 Annexes", for clients
   * that show `outline` instead. It is recognised when the name is given.
   */
  number_length: z.int(),
})

export const listedFile = z.object({ ...fileCompact.shape, ...outlined() })

export const viewerImage = z.object({
  status: viewerStatus(),
  page_number: z.int(),
  /** "" until Ready, for a page that does not exist, and where the caller may not see it. */
  expiring_url: z.string(),
  expiring_thumbnail_url: z.string(),
  /** Additive: why there is no image, as a sentence for people; "" where there is one or the reason is unknown. */
  ...reason(),
})

export const somePages = {
  from: z._default(position(), 1),
  count: z._default(z.int().check(z.minimum(1), z.maximum(100)), 25),
  sizes: z._default(z.boolean(), false),
}

export const filePages = z.object({
  file_id: id(),
  version: z.int(),
  status: viewerStatus(),
  ...reason(),
  /** 0 until Ready. */
  total_pages: z.int(),
  /** Unix seconds at which the URLs expire. */
  expires: z.int(),
  /** Sizes in pixels of the image at the URL, so that a client can reserve space. */
  pages: z.array(
    z.object({
      page_number: z.int(),
      width: z.int(),
      height: z.int(),
      expiring_url: z.string(),
      expiring_thumbnail_url: z.string(),
    }),
  ),
  /** Sizes of all pages in order where `sizes` was requested; otherwise empty. */
  widths: z.array(z.int()),
  heights: z.array(z.int()),
  /** The caller may print the pages: download is permitted, and not only as a sealed copy. */
  printable: z.boolean(),
  /** How much of the pages' text the caller may use. */
  text_layer: z.enum(TEXT_LAYERS),
})

/** In pixels of the page image, from its top left. */
const textBox = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })

export const pageText = z.object({
  file_id: id(),
  version: z.int(),
  page_number: z.int(),
  text: z.string(),
  /** The words in reading order, each with its place in the text in UTF-16 offsets; `end` is exclusive. */
  words: z.array(z.extend(textBox, { start: z.int(), end: z.int() })),
  /** The page has more text than this. */
  is_partial: z.boolean(),
})

export const fileHits = z.object({
  file_id: id(),
  version: z.int(),
  /** Pages with hits. A hit that is spread over lines has several boxes. */
  pages: z.array(z.object({ page_number: z.int(), hits: z.array(z.array(textBox)) })),
  total_pages: z.int(),
  /** The next page to search, to go on with `from`; null where no further page is searched. */
  next_page: z.nullable(z.int()),
  /** There may be more hits: the limit of hits is reached, or a page has more text than is searched. */
  is_partial: z.boolean(),
})

export const fileVersion = z.object({
  version: z.int(),
  /** Bytes, in decimal. */
  file_size: z.string(),
  file_content_type: z.string(),
  /** Lower-case hex. */
  sha256: z.string(),
  pages: z.int(),
  infected: z.nullable(z.boolean()),
  damaged: z.boolean(),
  viewer_status: viewerStatus(),
  ...reason(),
  /** Null, and the name empty, where the caller may not learn it. */
  uploaded_by_id: z.nullable(id()),
  uploaded_by_name: z.string(),
  created_at: timestamp(),
})

export const fileMapped = z.object({
  ...listedFile.shape,
  viewer_image: viewerImage,
  /** Lower-case hex, of the current version. */
  sha256: z.string(),
})

export const fileSearchResult = z.object({
  id: id(),
  title: z.string(),
  file_name: z.string(),
  file_content_type: z.string(),
  index: z.int(),
  folder_id: id(),
  folder_name: z.string(),
  created_at: timestamp(),
  updated_at: timestamp(),
  file_size: z.string(),
  /** Readable path of the folder: "/Finance/2025". */
  folder_path: z.string(),
  /** Additive: the same in the numbers of the caller, without numbers of another index: "/2 Finance/2.1 Accounts". */
  numbered_folder_path: z.string(),
  kind: fileKind(),
  ...outlined(),
  /** Additive: the best matching passage; null where only the title matches, or the view has a watermark or DRM. */
  snippet: z.nullable(
    z.object({
      /** Cells of a table, and lines as short as such, are separated by tabs. */
      text: z.string(),
      /** UTF-16 offsets of each match in the text; `end` is exclusive. */
      marks: z.array(z.object({ start: z.int(), end: z.int() })),
      /** Additive: matches in the text of the file, or in the best part of a very long one. */
      hits: z.int(),
      /** Additive: other parts have matches as well. */
      is_partial: z.boolean(),
    }),
  ),
})

/** Additive: what to do where the destination has a file of that name. */
export const fileConflict = () => z.optional(z.enum(['rename', 'replace', 'skip']))

/** Additive: what became of a name that was taken, and the id with which the caller can undo it for a day. */
export const transferred = () => ({
  /** `done`: the name was free, or was not asked about. */
  outcome: z.enum(['done', 'renamed', 'replaced', 'skipped']),
  /** Null where nothing was changed or the change cannot be undone. */
  undo_id: z.nullable(id()),
})

/** Describes the resulting file: after `replaced`, the one that got a version. */
const copyResult = z.object({
  message: z.string(),
  success: z.literal('true'),
  ...fileMapped.shape,
  ...transferred(),
})

const params = { id: id() }
const workspace_id = id()

export const fileSearch = () => ({
  workspace_id: id(),
  q: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
  /** Additive: only in this folder and below. */
  folder_id: z.optional(id()),
  /** Additive: only files of this type. */
  type: z.optional(z.enum(FILE_TYPES)),
  /** Additive: only files changed on this day, UTC, or later. */
  changed_since: z.optional(date()),
  page: page(),
  per_page: perPage(25),
})

export const files = {
  search: endpoint({
    method: 'GET',
    path: '/files/search',
    summary: 'Find files by title and text',
    scope: 'files:read',
    query: fileSearch(),
    success: 200,
    reply: z.array(fileSearchResult),
  }),
  upload: endpoint({
    method: 'PUT',
    path: '/files/upload',
    summary: 'Upload a file, or a new version of the file of that name',
    scope: 'files:write',
    query: {
      workspace_id,
      folder_id: id(),
      file_name: fileName(),
      /** Additive: keeps a file that has these bytes already. For a retry after an attempt that may have arrived. */
      unless_same: z._default(z.boolean(), false),
      /** Additive: the same for all tries of one upload, of which one is stored, however late another arrives. */
      idempotency_key: z.optional(z.uuid()),
    },
    raw: true,
    success: 200,
    reply: fileCompact,
  }),
  infoBatch: endpoint({
    method: 'POST',
    path: '/files/info/batch',
    summary: 'Several files at once; those the caller may not view are left out',
    scope: 'files:read',
    body: { workspace_id, file_ids: z.array(id()).check(z.maxLength(1000)) },
    success: 201,
    reply: z.array(fileCompact),
  }),
  get: endpoint({
    method: 'GET',
    path: '/files/{id}',
    summary: 'One file with its viewer image',
    scope: 'files:read',
    params,
    query: { workspace_id, page_number: z._default(position(), 1) },
    success: 200,
    reply: fileMapped,
  }),
  pages: endpoint({
    method: 'GET',
    path: '/files/{id}/pages',
    summary: 'Images of some pages of a file, at most 100 at a time; of an earlier version for who manages files',
    scope: 'files:read',
    params,
    query: { workspace_id, ...somePages, version: z.optional(position()) },
    success: 200,
    reply: filePages,
  }),
  text: endpoint({
    method: 'GET',
    path: '/files/{id}/pages/{page_number}/text',
    summary: 'The text of one page with the places of its words, for callers who may select text',
    scope: 'files:read',
    params: { id: id(), page_number: position() },
    query: { workspace_id, version: z.optional(position()) },
    success: 200,
    reply: pageText,
  }),
  find: endpoint({
    method: 'GET',
    path: '/files/{id}/find',
    summary: 'Where words are in the pages of a file, for callers who may find text; never the text itself',
    scope: 'files:read',
    params,
    query: {
      workspace_id,
      q: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
      /** Finds each word and quoted phrase, as the search does, instead of the whole query. */
      each_word: z._default(z.boolean(), false),
      match_case: z._default(z.boolean(), false),
      whole_words: z._default(z.boolean(), false),
      /** The first page to search. */
      from: z._default(position(), 1),
      version: z.optional(position()),
    },
    success: 200,
    reply: fileHits,
  }),
  versions: endpoint({
    method: 'GET',
    path: '/files/{id}/versions',
    summary: 'The versions of a file, newest first, for who manages files',
    scope: 'files:read',
    params,
    query: { workspace_id },
    success: 200,
    reply: z.array(fileVersion),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/files/{id}',
    summary: 'Give a file another title or place in its folder',
    scope: 'files:write',
    params,
    body: { workspace_id, file: z.object({ title: z.optional(fileName()), index: z.optional(position()) }) },
    success: 200,
    reply: fileMapped,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/files/{id}',
    summary: 'Delete a file',
    scope: 'files:write',
    params,
    query: { workspace_id },
    success: 200,
    reply: z.object({ id: id(), deleted: timestamp() }),
  }),
  copy: endpoint({
    method: 'POST',
    path: '/files/{id}/copy',
    summary: 'Copy a file into another folder',
    scope: 'files:write',
    params,
    body: { workspace_id, destination_folder_id: id(), conflict: fileConflict() },
    success: 201,
    reply: copyResult,
  }),
  move: endpoint({
    method: 'POST',
    path: '/files/{id}/move',
    summary: 'Move a file into another folder',
    scope: 'files:write',
    params,
    body: { workspace_id, destination_folder_id: id(), conflict: fileConflict() },
    success: 201,
    reply: copyResult,
  }),
  /** Additive. */
  undo: endpoint({
    method: 'POST',
    path: '/files/{id}/undo',
    summary: 'Undo a move or a copy of a file that the caller made today',
    scope: 'files:write',
    params,
    body: { workspace_id, undo_id: id() },
    success: 200,
    reply: z.object({ message: z.string() }),
  }),
}
