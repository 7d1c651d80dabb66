import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { date, id, page, pagination, perPage, position, timestamp, timeZoneOfDays } from '../../fields.ts'
import { fileKind } from '../files.ts'

/** Most that one batch may hold, and most that a reader who was away may tell of at once. Milliseconds. */
export const MAX_BATCH_MS = 120_000
export const MAX_BATCH_PAGES = 100
/** A reader reaches a page by reading it, or a later one, for so long. Milliseconds. */
export const REACH_MS = 1000

/** First and last day, inclusive, in UTC: by default the last 14 days, at most 366. */
const period = { from: z.optional(date()), to: z.optional(date()) }
const days = { from: date(), to: date() }
const paging = { page: page(), per_page: perPage(25) }

const tally = { views: z.int(), downloads: z.int() }
const since = { first_at: z.nullable(timestamp()), last_at: z.nullable(timestamp()) }
/** Reading time in milliseconds. */
const ms = () => z.number()

/** A group that is not built in. What one of its members reads counts for each group of the member. */
export const engagedGroup = z.object({
  group_id: id(),
  name: z.string(),
  members: z.int(),
  /** Members who viewed, opened or downloaded a file. */
  active: z.int(),
  ms: ms(),
  /** In as many days before. */
  former_ms: ms(),
  /** Omits days without reading. */
  days: z.array(z.object({ day: date(), ms: ms() })),
  /** Files that the group may view today, and those of them that its members viewed, opened or downloaded. */
  viewable: z.int(),
  opened: z.int(),
  ...tally,
  ...since,
})

/** What a group did with a file, or with the files of a folder. Without access it may still have done so before. */
const cell = z.object({
  group_id: id(),
  /** The group may view the file, or something in the folder. */
  access: z.boolean(),
  ms: ms(),
  readers: z.int(),
  ...tally,
})

export const engagedFile = z.object({
  file_id: id(),
  folder_id: id(),
  outline: z.string(),
  title: z.string(),
  kind: fileKind(),
  pages: z.int(),
  cells: z.array(cell),
})

export const engagedFolder = z.object({ folder_id: id(), outline: z.string(), name: z.string(), cells: z.array(cell) })

export const engagedPerson = z.object({
  user_id: id(),
  user_name: z.string(),
  group_ids: z.array(id()),
  ms: ms(),
  ...tally,
  ...since,
})

export const fileEngagement = z.object({
  ...days,
  file_id: id(),
  version: z.int(),
  pages: z.int(),
  /** Of everybody, also of admins. */
  ms: ms(),
  readers: z.int(),
  groups: z.array(
    z.object({
      group_id: id(),
      name: z.string(),
      access: z.boolean(),
      ms: ms(),
      readers: z.int(),
      /** Omits pages without reading. */
      page_times: z.array(z.object({ page_number: z.int(), ms: ms() })),
      /** The last pages that readers reach, in the order of the pages. */
      stops: z.array(z.object({ page_number: z.int(), readers: z.int() })),
    }),
  ),
  /** Those who read longest, 200 at most. */
  people: z.array(
    z.object({
      ...engagedPerson.shape,
      /** Number of pages read, and the last page that the person reached. */
      pages: z.int(),
      last_page: z.nullable(z.int()),
    }),
  ),
})

export const engagement = {
  /** Additive. Not for personal keys: only the window in which pages are read knows for how long. */
  record: endpoint({
    method: 'POST',
    path: '/files/{id}/reading_times',
    summary: 'Tell for how long the caller has read pages of a file',
    params: { id: id() },
    body: {
      workspace_id: id(),
      version: position(),
      /** Made by the client: a batch that comes twice counts once. */
      batch_id: z.uuid(),
      pages: z
        .array(z.object({ page_number: position(), ms: z.int().check(z.minimum(1), z.maximum(MAX_BATCH_MS)) }))
        .check(z.minLength(1), z.maxLength(MAX_BATCH_PAGES)),
    },
    success: 204,
  }),
  groups: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/engagement',
    summary: 'How much each group reads, opens and downloads',
    scope: 'activities:read',
    params: { id: id() },
    query: period,
    success: 200,
    reply: z.object({ ...days, groups: z.array(engagedGroup) }),
  }),
  documents: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/engagement/documents',
    summary: 'How long each group reads each file, most read first; also files that nobody opened',
    scope: 'activities:read',
    params: { id: id() },
    /** With a folder, only files in it, at any depth. */
    query: { ...period, folder_id: z.optional(id()), ...paging },
    success: 200,
    reply: z.object({ ...days, pagination: pagination(), files: z.array(engagedFile) }),
  }),
  folders: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/engagement/folders',
    summary: 'How long each group reads the files in each subfolder of a folder, in the order of the folders',
    scope: 'activities:read',
    params: { id: id() },
    query: { ...period, folder_id: z._default(id(), 0), ...paging },
    success: 200,
    reply: z.object({ ...days, pagination: pagination(), folders: z.array(engagedFolder) }),
  }),
  people: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/engagement/people',
    summary: 'How much each member of a group reads, opens and downloads, most reading first',
    scope: 'activities:read',
    params: { id: id() },
    query: { ...period, group_id: z.optional(id()), ...paging },
    success: 200,
    reply: z.object({ ...days, pagination: pagination(), people: z.array(engagedPerson) }),
  }),
  print: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/engagement/pdf',
    summary: 'A report of the engagement with plots as a PDF: pieces of it in base64, as JSON lines',
    scope: 'activities:read',
    params: { id: id() },
    /** The days are in UTC, the times in the time zone. */
    query: { ...period, language: z._default(z.enum(['en', 'de']), 'en'), time_zone: timeZoneOfDays() },
    success: 200,
    reply: z.array(z.string()),
    jsonLines: true,
  }),
  file: endpoint({
    method: 'GET',
    path: '/files/{id}/engagement',
    summary: 'How long each page of a version of a file was read, by whom, and where readers stop',
    scope: 'activities:read',
    params: { id: id() },
    query: { workspace_id: id(), ...period, version: z.optional(position()) },
    success: 200,
    reply: fileEngagement,
  }),
}
