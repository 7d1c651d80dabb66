import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { saying } from '../field-rules.ts'
import { date, id, line, page, pagination, perPage, timestamp, timeZoneOfDays } from '../fields.ts'
import { fileKind } from './files.ts'
import { numberedPath } from './folders.ts'

export const activity = z.object({
  id: id(),
  user_id: id(),
  user_name: z.string(),
  workspace_id: id(),
  verb: z.string(),
  /** Continues the sentence that begins with the user's name. */
  message: z.string(),
  subject_type: z.nullable(z.string()),
  subject_id: z.nullable(id()),
  created_at: timestamp(),
  /** Additive from here: the act of `acts.ts` and the parameters of its sentence, such as the title of a file. */
  act: z.nullable(z.string()),
  params: z.record(z.string(), z.string()),
})

/** An act of the feed, which may stand for others. */
export const feedEvent = z.extend(activity, {
  /** The acts of one zip that match the filters, if there are several. The event is the first of them. */
  zip: z.nullable(z.object({ id: id(), folders: z.int(), files: z.int() })),
  /** How often the person viewed the workspace on that day, of which the event is the last time; 1 for other acts. */
  times: z.int(),
})

/** A time in milliseconds, and the id of an act. */
const FEED_CURSOR = /^\d{1,14}_\d{1,10}$/

const filters = {
  user_id: z.optional(id()),
  verb: z.optional(line()),
  subject_type: z.optional(line()),
  subject_id: z.optional(id()),
  /** First and last day, inclusive, in the time zone; without one, in UTC. */
  from: z.optional(date()),
  to: z.optional(date()),
  time_zone: timeZoneOfDays(),
}

const tally = {
  views: z.int(),
  downloads: z.int(),
}

export const activitySummary = z.object({
  /** First and last day counted, inclusive, in the time zone: by default the last 30 days, at most 366. */
  from: date(),
  to: date(),
  total: z.int(),
  /** Omits days without activities. `others` counts activities that are neither views nor downloads. */
  days: z.array(z.object({ day: date(), ...tally, others: z.int() })),
  /** Of all files: how often they were viewed and downloaded, by how many people, and when last. */
  reading: z.object({ ...tally, people: z.int(), last_at: z.nullable(timestamp()) }),
  /** The most viewed and downloaded files, ten at most; `title` is null once the file is gone for good. */
  files: z.array(
    z.object({
      file_id: id(),
      folder_id: z.nullable(id()),
      title: z.nullable(z.string()),
      deleted: z.boolean(),
      ...tally,
      people: z.int(),
    }),
  ),
  /** The most active people, ten at most. */
  people: z.array(
    z.object({
      user_id: id(),
      user_name: z.string(),
      ...tally,
      others: z.int(),
      /** Number of distinct files viewed or downloaded. */
      files: z.int(),
      last_active_at: timestamp(),
    }),
  ),
})

export const unreadFile = z.object({
  file_id: id(),
  folder_id: id(),
  title: z.string(),
  kind: fileKind(),
  /** Readable path of the folder: "/Finance/2025". */
  path: z.string(),
  numbered_path: numberedPath(),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export const activities = {
  list: endpoint({
    method: 'GET',
    path: '/activities/workspace/{workspace_id}',
    summary: 'What happened in a workspace, newest first; to a plain member only the own acts',
    scope: 'activities:read',
    params: { workspace_id: id() },
    query: {
      user_id: z.optional(id()),
      page: page(),
      per_page: perPage(100),
      /** Additive filters. `others` leaves out the caller's own acts; it has no effect beside `user_id`. */
      others: z.optional(z.boolean()),
      verb: z.optional(line()),
      subject_type: z.optional(line()),
      subject_id: z.optional(id()),
      /** First and last day, inclusive, in the time zone; without one, in UTC. */
      from: z.optional(date()),
      to: z.optional(date()),
      time_zone: timeZoneOfDays(),
    },
    success: 200,
    reply: z.object({
      pagination: pagination(),
      events: z.array(activity),
    }),
  }),
  /** Additive from here. */
  feed: endpoint({
    method: 'GET',
    path: '/activities/workspace/{workspace_id}/feed',
    summary:
      'The same acts, newest first, where a zip is one event, and so are the views of the workspace by one person on one day',
    scope: 'activities:read',
    params: { workspace_id: id() },
    query: {
      ...filters,
      /** Acts on a folder and on everything below it that the caller may view; of the root, on all folders and files. */
      folder_id: z.optional(id()),
      /** For workspace admins: acts on a group, and all acts of its members. */
      group_id: z.optional(id()),
      /** The acts of one zip, in its order. */
      zip_id: z.optional(id()),
      /** False for every act by itself. */
      together: z._default(z.boolean(), true),
      /** The `next` of the page before. */
      after: z.optional(z.string().check(z.regex(FEED_CURSOR, saying('valid_input')))),
      per_page: perPage(50),
    },
    success: 200,
    /** Of a large folder, a page may have fewer events, or none, while `next` leads to older ones. */
    reply: z.object({ events: z.array(feedEvent), next: z.nullable(z.string()) }),
  }),
  summary: endpoint({
    method: 'GET',
    path: '/activities/workspace/{workspace_id}/summary',
    summary: 'How much happened on each day, with which files, by whom',
    scope: 'activities:read',
    params: { workspace_id: id() },
    /**
     * With a folder, only what happened with the files in it, at any depth; with a group, acts on it and all acts of its
     * members.
     */
    query: { ...filters, folder_id: z.optional(id()), group_id: z.optional(id()) },
    success: 200,
    reply: activitySummary,
  }),
  unread: endpoint({
    method: 'GET',
    path: '/activities/workspace/{workspace_id}/unread/{group_id}',
    summary: 'The files that a group may view and that none of its members has viewed or downloaded, newest first',
    scope: 'activities:read',
    params: { workspace_id: id(), group_id: id() },
    query: { page: page(), per_page: perPage(25) },
    success: 200,
    reply: z.object({
      group_id: id(),
      members: z.int(),
      /** Number of files that the group may view; `pagination.total_items` counts the unread ones. */
      viewable: z.int(),
      pagination: pagination(),
      files: z.array(unreadFile),
    }),
  }),
}
