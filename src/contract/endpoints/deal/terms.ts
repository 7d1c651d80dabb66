import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { saying } from '../../field-rules.ts'
import { fileName, id, label, line, paragraph, timestamp, timeZoneOfDays } from '../../fields.ts'
import { somePages } from '../files.ts'
import { NO_DRAFT } from './terms-pdf.ts'

/** Characters of a text of terms. */
const MAX_TEXT = 50_000

const person = { first_name: z.string(), last_name: z.string(), email: z.string() }

/** Additive: the PDF that stands for the text; null for a text. */
const pdf = () => z.nullable(z.object({ file_name: z.string(), size: z.int(), pages: z.int() }))

/** For a PDF, a sentence that names it and, after an empty line, what could be read from its pages (`textOfPages`). */
const text = () => z.string()

/** An issued version, which never changes. */
const ofIssue = {
  id: id(),
  /** The group whose own terms these are; null for those of the workspace. */
  group_id: z.nullable(id()),
  /** As it was called when the version was issued; "" for the workspace. */
  group_name: z.string(),
  version: z.int(),
  title: z.string(),
  /** Hex digits, of the text as UTF-8 or of the bytes of the PDF. Title and `asks_name` are not in it. */
  sha256: z.string(),
  /** Accepting needs the typed name. */
  asks_name: z.boolean(),
  issued_at: timestamp(),
  pdf: pdf(),
}

/** Additive section: terms that stand before everything in a workspace. */
export const ownTerms = z.object({
  workspace_id: id(),
  workspace_name: z.string(),
  /** Whether anything of the workspace is served to the caller before they accept. */
  await: z.boolean(),
  /** Versions in force for the caller; none for admins, who are not bound. */
  terms: z.array(
    z.object({
      ...ofIssue,
      text: text(),
      accepted_at: z.nullable(timestamp()),
      declined_at: z.nullable(timestamp()),
      /** The version of the same terms that the caller accepted last before this one. `id` and `pdf` are additive. */
      former: z.nullable(z.object({ id: id(), version: z.int(), text: text(), pdf: pdf(), accepted_at: timestamp() })),
    }),
  ),
  /** Whom the caller may ask before accepting: the contact of the welcome page. */
  contact: z.nullable(z.object(person)),
  /** What an answer to this request's sender would record, beside version, hash and time. */
  recorded: z.object({ ...person, company: z.string(), address: z.string() }),
})

export const termsVersion = z.object({
  ...ofIssue,
  issued_by_id: id(),
  /** Null while in force or replaced by a newer version. */
  withdrawn_at: z.nullable(timestamp()),
  in_force: z.boolean(),
  accepted: z.int(),
  declined: z.int(),
})

export const termsVersionWithText = z.extend(termsVersion, { text: text() })

export const termsDraft = z.object({
  group_id: z.nullable(id()),
  title: z.string(),
  text: text(),
  /** As that of a version. */
  sha256: z.string(),
  asks_name: z.boolean(),
  updated_at: timestamp(),
  updated_by_id: id(),
  pdf: pdf(),
  /** Additive: differs if anything of the draft does. */
  digest: z.string(),
})

/** The PDF of terms, whose pages the service draws. */
export const termsPages = z.object({
  file_name: z.string(),
  /** Bytes. */
  size: z.int(),
  sha256: z.string(),
  total_pages: z.int(),
  /** Unix seconds at which the URLs expire. */
  expires: z.int(),
  /** Of the PDF itself. */
  expiring_url: z.string(),
  pages: z.array(
    z.object({
      page_number: z.int(),
      /** In pixels of the image at the URL. */
      width: z.int(),
      height: z.int(),
      /** For readers who do not see the image; "" if nothing could be read. */
      text: z.string(),
      expiring_url: z.string(),
    }),
  ),
})

/** What stands before a reader. */
export const foreseenTerms = z.object({
  /** The person must accept before anything is shown; of a group, whoever has not accepted. */
  await: z.boolean(),
  terms: z.array(z.object({ id: id(), title: z.string(), version: z.int() })),
})

export const ANSWERS = ['accepted', 'declined', 'awaited'] as const

/** An answer, or a member whose answer is awaited. */
export const termsAnswer = z.object({
  terms_id: id(),
  group_name: z.string(),
  title: z.string(),
  version: z.int(),
  sha256: z.string(),
  /** Additive: the name of the PDF; null for a text. */
  file_name: z.nullable(z.string()),
  /** The version is in force for this person now. */
  in_force: z.boolean(),
  answer: z.enum(ANSWERS),
  user_id: id(),
  /** As it was at the answer. */
  user_name: z.string(),
  email: z.string(),
  company: z.string(),
  typed_name: z.string(),
  address: z.string(),
  answered_at: z.nullable(timestamp()),
})

const params = { id: id() }
const ofVersion = { ...params, terms_id: id() }
/** Absent for the terms of the workspace itself. */
const group_id = z.optional(id())
const confirmed = () => z.boolean().check(z.refine((value) => value, saying('confirmed')))
const { from, count } = somePages
const SHA256 = /^[0-9a-f]{64}$/
const sha256 = () => z.string().check(z.regex(SHA256, saying('sha256')))
/**
 * Additive: that of the draft that the admin has read, or that there was none. Another draft is not changed (409). An empty
 * one is refused: it is no digest that was left out.
 */
const digest = z.optional(
  z.string().check(z.refine((text) => text === NO_DRAFT || SHA256.test(text), saying('sha256'))),
)

export const terms = {
  mine: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/terms',
    summary: 'The terms in force for the caller, and whether they await an answer',
    scope: 'workspaces:read',
    params,
    success: 200,
    reply: ownTerms,
  }),
  accept: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/terms/{terms_id}/accept',
    summary: 'Accept a version of the terms, which is recorded with time, address and the typed name',
    params: ofVersion,
    body: {
      /** The caller has read this version. */
      has_read: confirmed(),
      /** The caller may accept it for whom they act. */
      may_accept: confirmed(),
      typed_name: z._default(line(), ''),
    },
    success: 201,
    reply: ownTerms,
  }),
  decline: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/terms/{terms_id}/decline',
    summary: 'Decline a version of the terms, which is recorded',
    params: ofVersion,
    success: 201,
    reply: ownTerms,
  }),
  pages: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/terms/{terms_id}/pages',
    summary: 'Pages and URL of terms that are a PDF, for those who must accept or have answered them, and for admins',
    scope: 'workspaces:read',
    params: ofVersion,
    query: { from, count },
    success: 200,
    reply: termsPages,
  }),
  listVersions: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/terms/versions',
    summary: 'Every issued version of the terms of a workspace and its groups, newest first',
    scope: 'workspaces:read',
    params,
    success: 200,
    reply: z.array(termsVersion),
  }),
  getVersion: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/terms/versions/{terms_id}',
    summary: 'An issued version of the terms with its text',
    scope: 'workspaces:read',
    params: ofVersion,
    success: 200,
    reply: termsVersionWithText,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/terms/versions/{terms_id}/withdraw',
    summary: 'Withdraw the version in force: it binds nobody any more, and no earlier one does',
    scope: 'workspaces:write',
    params: ofVersion,
    success: 201,
    reply: termsVersion,
  }),
  getDraft: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/terms/draft',
    summary: 'The draft of the terms of a workspace or of one of its groups, if there is one',
    scope: 'workspaces:read',
    params,
    query: { group_id },
    success: 200,
    reply: z.object({ draft: z.nullable(termsDraft) }),
  }),
  saveDraft: endpoint({
    method: 'PUT',
    path: '/workspaces/{id}/terms/draft',
    summary: 'Write the draft of the terms of a workspace or of one of its groups, in place of the former draft',
    scope: 'workspaces:write',
    params,
    body: {
      group_id,
      title: label(),
      /** Without a text, the PDF of the draft stays. */
      text: z.optional(paragraph(MAX_TEXT).check(z.minLength(1, saying('not_empty')))),
      asks_name: z._default(z.boolean(), false),
      digest,
    },
    success: 200,
    reply: termsDraft,
  }),
  setDraftPdf: endpoint({
    method: 'PUT',
    path: '/workspaces/{id}/terms/draft/pdf',
    summary:
      'Make a PDF the draft, in place of its text or former PDF: 10 MB and 100 pages at most, without password, scripts and other files',
    scope: 'workspaces:write',
    params,
    query: {
      group_id,
      file_name: fileName(),
      /** Without one, that of the draft, or else the name of the file. */
      title: z.optional(label()),
      /** Without one, that of the draft. */
      asks_name: z.optional(z.boolean()),
      digest,
    },
    raw: true,
    success: 200,
    reply: termsDraft,
  }),
  draftPages: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/terms/draft/pages',
    summary: 'Pages and URL of a draft that is a PDF',
    scope: 'workspaces:read',
    params,
    query: { group_id, from, count },
    success: 200,
    reply: termsPages,
  }),
  removeDraft: endpoint({
    method: 'DELETE',
    path: '/workspaces/{id}/terms/draft',
    summary: 'Discard a draft of terms',
    scope: 'workspaces:write',
    params,
    query: { group_id, digest },
    success: 204,
  }),
  issue: endpoint({
    method: 'POST',
    path: '/workspaces/{id}/terms/issue',
    summary: 'Issue the draft as the next version, which every bound member must accept from the next request on',
    scope: 'workspaces:write',
    params,
    /**
     * The hash of the draft that the admin has read: another one is not issued. Additive: neither is one with another title
     * or `asks_name` than are given.
     */
    body: { group_id, sha256: sha256(), title: z.optional(label()), asks_name: z.optional(z.boolean()) },
    success: 201,
    reply: termsVersion,
  }),
  foresee: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/terms/foresee',
    summary: 'The terms that stand before a group or a person, and whether they await',
    scope: 'workspaces:read',
    params,
    query: { group_id, user_id: z.optional(id()) },
    success: 200,
    reply: foreseenTerms,
  }),
  listAnswers: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/terms/answers',
    summary: 'Who accepted or declined which version, when and from where, and whose answer is awaited',
    scope: 'workspaces:read',
    params,
    success: 200,
    reply: z.array(termsAnswer),
    jsonLines: true,
  }),
  printAnswers: endpoint({
    method: 'GET',
    path: '/workspaces/{id}/terms/answers/pdf',
    summary: 'The same answers as a PDF: pieces of it in base64, as JSON lines',
    scope: 'workspaces:read',
    params,
    query: { language: z._default(z.enum(['en', 'de']), 'en'), time_zone: timeZoneOfDays() },
    success: 200,
    reply: z.array(z.string()),
    jsonLines: true,
  }),
}
