import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { date, id, label, paragraph, perPage, position, timestamp } from '../../fields.ts'

/** In the order of work. To askers, questions that are being answered are open. */
export const QUESTION_STATUSES = ['to_approve', 'open', 'draft', 'answered', 'closed', 'withdrawn'] as const
export type QuestionStatus = (typeof QUESTION_STATUSES)[number]
export const QUESTION_PRIORITIES = ['low', 'normal', 'high'] as const
/** Who receives an answer: the asking group, it and chosen groups, or all members whose access has not ended. */
export const QUESTION_REACHES = ['group', 'groups', 'all'] as const
export type QuestionReach = (typeof QUESTION_REACHES)[number]
export const QUESTION_STEPS = ['submit', 'send_back', 'close', 'reopen'] as const
export const ENTRY_KINDS = [
  'note',
  'drafted',
  'changed',
  'submitted',
  'sent_back',
  'answered',
  'closed',
  'reopened',
  'withdrawn',
  'written',
  'edited',
  'placed',
  'removed',
  'passed',
  'asked_back',
  'expert_drafted',
  'expert_remarked',
  'pass_withdrawn',
  'assigned',
] as const
/** Why an expert has no part in questions now: admins see all of them, groups that ask never those of others. */
const EXPERT_BARS = ['admin', 'asks', 'no_access'] as const
/** Null where nothing bars the expert. */
export const expertBar = () => z.nullable(z.enum(EXPERT_BARS))

const person = z.object({ id: id(), name: z.string() })
const namedGroup = z.object({ id: z.nullable(id()), name: z.string() })

/** A document or folder, as far as the caller may see it. */
export const questionPlace = z.object({
  file_id: z.nullable(id()),
  folder_id: id(),
  /** Title of the file, or name of the folder. */
  title: z.string(),
  page_number: z.nullable(z.int()),
  /** In the trash or gone, which only admins are told. */
  deleted: z.boolean(),
})

export const question = z.object({
  id: z.string(),
  /** To admins the number in the workspace, to askers that of their group. Null for an answer published to the caller. */
  number: z.nullable(z.int()),
  /** A group of the caller asked. */
  own: z.boolean(),
  status: z.enum(QUESTION_STATUSES),
  subject: z.string(),
  category: z.nullable(z.string()),
  place: z.nullable(questionPlace),
  /** One of the FAQ of the caller. */
  faq: z.boolean(),
  /** Null, like the two that follow, for an answer published to the caller. Also null for an entry that admins wrote. */
  group: z.nullable(namedGroup),
  priority: z.nullable(z.enum(QUESTION_PRIORITIES)),
  asked_at: z.nullable(timestamp()),
  answered_at: z.nullable(timestamp()),
  /** To admins only. */
  assignee: z.nullable(person),
  due_on: z.nullable(z.string()),
  /** Additive: the experts whom it waits for. To admins only, else empty. */
  experts: z.array(person),
})

export const questionFile = z.object({
  file_id: id(),
  folder_id: id(),
  title: z.string(),
  /** Null until the file was scanned. */
  infected: z.nullable(z.boolean()),
})

export const questionEntry = z.object({
  id: id(),
  kind: z.enum(ENTRY_KINDS),
  user_id: id(),
  user_name: z.string(),
  text: z.string(),
  created_at: timestamp(),
  /** Additive: to whom a question was passed, or from whom it was withdrawn. */
  expert: z.nullable(person),
})

/** A question that was passed to an expert. */
export const questionPass = z.object({
  expert: person,
  asked_at: timestamp(),
  /** Null while it waits for the expert. */
  replied_at: z.nullable(timestamp()),
  bar: expertBar(),
})

/** How a question is worked on. Only admins see it. */
export const questionWork = z.object({
  group_number: z.int(),
  approver: z.nullable(person),
  draft: z.string(),
  drafted_by: z.nullable(person),
  drafted_at: z.nullable(timestamp()),
  reach: z.enum(QUESTION_REACHES),
  group_ids: z.array(id()),
  entries: z.array(questionEntry),
  /** Groups that cannot see the place of the question or a document of its answer now. */
  blind_groups: z.array(z.object({ group_id: id(), name: z.string(), place: z.boolean(), files: z.boolean() })),
  /** Additive. */
  passes: z.array(questionPass),
})

export const questionThread = z.extend(question, {
  text: z.string(),
  asked_by: z.nullable(person),
  /** "" until the question is answered. */
  answer: z.string(),
  /** Documents of the answer that the caller may see. */
  files: z.array(questionFile),
  work: z.nullable(questionWork),
})

/** A question as exports and the list of answers to all have it. */
export const questionText = z.extend(question, {
  text: z.string(),
  asked_by: z.nullable(person),
  /** "" until the question is answered. */
  answer: z.string(),
})

export const questionCounts = z.object({
  to_approve: z.int(),
  open: z.int(),
  draft: z.int(),
  answered: z.int(),
  closed: z.int(),
  withdrawn: z.int(),
  /** To admins only, else 0. */
  overdue: z.int(),
})

export const questionGroup = z.object({
  group_id: id(),
  name: z.string(),
  may_ask: z.boolean(),
  /** So many questions within `days`, or at all where that is null. */
  most: z.int(),
  days: z.nullable(z.int()),
  /** Questions that admins imported for the group do not count. */
  used: z.int(),
  /** Additive: questions were asked for the group, at any time. */
  has_asked: z.boolean(),
})

/** What questions that are asked or imported with a category begin with. */
export const questionRoute = z.object({
  category: z.string(),
  /** Null also while the person may answer no questions. */
  assignee: z.nullable(person),
  approver: z.nullable(person),
  /** They are due so many days after they were asked. */
  days: z.nullable(z.int()),
})

export const questionSettings = z.object({
  /** There is something for the caller: a question to read, or the right to ask. */
  shown: z.boolean(),
  /** To admins all groups that may be allowed to ask, to others their own ones that may. */
  groups: z.array(questionGroup),
  categories: z.array(z.string()),
  /** Those who answer and approve, for admins. */
  admins: z.array(person),
  /** Additive: questions were passed to the caller as an expert. */
  passed: z.boolean(),
  /** Additive. To admins only, else empty. */
  routes: z.array(questionRoute),
})

const workspace_id = id()
const params = { workspace_id, question_id: z.uuid() }
/** Of texts of a question, in characters. */
export const MOST_LETTERS = { subject: 255, text: 10_000, draft: 20_000, words: 5000 } as const
const subject = () => label()
const answerText = () => paragraph(MOST_LETTERS.draft)
/** When the draft that the caller has read was stored: a later one is refused with 409. */
const drafted_at = () => z.optional(z.nullable(z.iso.datetime({ offset: true })))
/** When the answer that the caller has read was given: a later one is refused with 409. */
const answered_at = () => z.optional(z.iso.datetime({ offset: true }))
/** Documents of an answer. */
export const MOST_FILES = 20
const MOST_GROUPS = 200
const MOST_CATEGORIES = 50
/** Questions that are imported at once. */
export const MOST_IMPORTED = 500

/** A question of an import. */
export const importedQuestion = z.object({
  group_id: id(),
  subject: subject(),
  text: z._default(paragraph(MOST_LETTERS.text), ''),
  priority: z._default(z.enum(QUESTION_PRIORITIES), 'normal'),
  category: z.optional(label()),
  draft: z._default(answerText(), ''),
})

/**
 * Additive. Made by the client: an import that comes twice is stored once, and answered as the first time. Of each person in
 * a workspace the last hundred are known, for a day.
 */
const import_id = z.optional(z.uuid())

const entryText = {
  subject: subject(),
  text: paragraph(MOST_LETTERS.text),
  answer: answerText().check(z.minLength(1)),
  file_ids: z.array(id()).check(z.maxLength(MOST_FILES)),
}
const receivers = () => z._default(z.array(id()).check(z.maxLength(MOST_GROUPS)), [])
/** An entry that nobody asked has no asking group. */
const FAQ_REACHES = ['groups', 'all'] as const

const filters = {
  status: z.optional(z.enum(QUESTION_STATUSES)),
  category: z.optional(label()),
  group_id: z.optional(id()),
  assignee_id: z.optional(id()),
  /** Additive. Only those that a person is to answer or, once an answer was submitted, to approve. */
  awaits_id: z.optional(id()),
  file_id: z.optional(id()),
  /** Answers to all and the FAQ: first the FAQ by category in the order of admins, then others, newest first. */
  faq: z.optional(z.boolean()),
  q: z.optional(z.string().check(z.maxLength(255))),
  /** The last question of the page before. */
  after: z.optional(z.uuid()),
  per_page: perPage(50),
}
/** Whose view is asked for, one of both. Readers who are no admins have none of the other filters. */
const reader = { group_id: z.optional(id()), user_id: z.optional(id()) }
const { status, after, per_page, ...counted } = filters
const { category, faq, q } = counted

export const questions = {
  list: endpoint({
    method: 'GET',
    path: '/workspaces/{workspace_id}/questions',
    summary: 'Questions that the caller may see, in the order of work for admins, newest first for others',
    scope: 'questions:read',
    params: { workspace_id },
    query: filters,
    success: 200,
    reply: z.object({ questions: z.array(question), counts: questionCounts, next: z.nullable(z.string()) }),
  }),
  count: endpoint({
    method: 'GET',
    path: '/workspaces/{workspace_id}/questions/counts',
    summary: 'How many questions are in which status, by the filters of their list',
    scope: 'questions:read',
    params: { workspace_id },
    query: counted,
    success: 200,
    reply: z.object({ counts: questionCounts }),
  }),
  listTexts: endpoint({
    method: 'GET',
    path: '/workspaces/{workspace_id}/questions/texts',
    summary: 'The same questions with their texts and answers, for exports and to read answers to all',
    scope: 'questions:read',
    params: { workspace_id },
    query: filters,
    success: 200,
    reply: z.object({ questions: z.array(questionText), next: z.nullable(z.string()) }),
  }),
  viewAs: endpoint({
    method: 'GET',
    path: '/workspaces/{workspace_id}/questions/view_as',
    summary: 'Questions, answers and the FAQ exactly as a group or a person sees them now',
    scope: 'questions:read',
    params: { workspace_id },
    query: { ...reader, status, category, faq, q, after, per_page },
    success: 200,
    reply: z.object({ questions: z.array(questionText), counts: questionCounts, next: z.nullable(z.string()) }),
  }),
  viewThreadAs: endpoint({
    method: 'GET',
    path: '/workspaces/{workspace_id}/questions/{question_id}/view_as',
    summary: 'One question with its answer exactly as a group or a person sees it now',
    scope: 'questions:read',
    params,
    query: reader,
    success: 200,
    reply: questionThread,
  }),
  import: endpoint({
    method: 'POST',
    path: '/workspaces/{workspace_id}/questions/import',
    summary: 'Add questions for groups, all or none; what these may ask does not limit them and is not used up by them',
    scope: 'questions:write',
    params: { workspace_id },
    body: { questions: z.array(importedQuestion).check(z.minLength(1), z.maxLength(MOST_IMPORTED)), import_id },
    success: 201,
    reply: z.object({ imported: z.int() }),
  }),
  /** Additive: texts of 500 questions may be far longer than a JSON body may be. */
  importLines: endpoint({
    method: 'PUT',
    path: '/workspaces/{workspace_id}/questions/import/lines',
    summary: 'The same for questions as JSON lines, 500 at most, however long their texts are',
    scope: 'questions:write',
    params: { workspace_id },
    query: { import_id },
    raw: true,
    success: 200,
    reply: z.object({ imported: z.int() }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/workspaces/{workspace_id}/questions/{question_id}',
    summary: 'One question with its answer, and for admins with drafts and notes',
    scope: 'questions:read',
    params,
    success: 200,
    reply: questionThread,
  }),
  ask: endpoint({
    method: 'POST',
    path: '/workspaces/{workspace_id}/questions',
    summary: 'Ask on a file, a folder or the workspace, for a group that may',
    scope: 'questions:write',
    params: { workspace_id },
    body: {
      question: z.object({
        subject: subject(),
        text: z._default(paragraph(MOST_LETTERS.text), ''),
        priority: z._default(z.enum(QUESTION_PRIORITIES), 'normal'),
        category: z.optional(label()),
        file_id: z.optional(id()),
        page_number: z.optional(position()),
        folder_id: z.optional(id()),
        /** Needed where several groups of the caller may ask. */
        group_id: z.optional(id()),
      }),
    },
    success: 201,
    reply: questionThread,
  }),
  withdraw: endpoint({
    method: 'PUT',
    path: '/workspaces/{workspace_id}/questions/{question_id}/withdraw',
    summary: 'Take back an unanswered question of an own group',
    scope: 'questions:write',
    params,
    success: 200,
    reply: questionThread,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/workspaces/{workspace_id}/questions/{question_id}',
    summary: 'Draft the answer of a question, and set who answers and approves it until when',
    scope: 'questions:write',
    params,
    body: {
      question: z.object({
        draft: z.optional(answerText()),
        file_ids: z.optional(z.array(id()).check(z.maxLength(MOST_FILES))),
        assignee_id: z.optional(z.nullable(id())),
        approver_id: z.optional(z.nullable(id())),
        due_on: z.optional(z.nullable(date())),
        priority: z.optional(z.enum(QUESTION_PRIORITIES)),
        category: z.optional(z.nullable(label())),
      }),
      drafted_at: drafted_at(),
    },
    success: 200,
    reply: questionThread,
  }),
  note: endpoint({
    method: 'POST',
    path: '/workspaces/{workspace_id}/questions/{question_id}/notes',
    summary: 'Add an internal note, which askers never see',
    scope: 'questions:write',
    params,
    body: { text: paragraph().check(z.minLength(1)) },
    success: 201,
    reply: questionThread,
  }),
  move: endpoint({
    method: 'PUT',
    path: '/workspaces/{workspace_id}/questions/{question_id}/step',
    summary: 'Submit a draft for approval, send it back, close a question without an answer, or open it again',
    scope: 'questions:write',
    params,
    body: { step: z.enum(QUESTION_STEPS), text: z._default(paragraph(), '') },
    success: 200,
    reply: questionThread,
  }),
  answer: endpoint({
    method: 'PUT',
    path: '/workspaces/{workspace_id}/questions/{question_id}/answer',
    summary: 'Approve the draft and give it to the asking group, and to others without saying who asked',
    scope: 'questions:write',
    params,
    body: {
      reach: z._default(z.enum(QUESTION_REACHES), 'group'),
      group_ids: receivers(),
      drafted_at: drafted_at(),
    },
    success: 200,
    reply: questionThread,
  }),
  writeFaq: endpoint({
    method: 'POST',
    path: '/workspaces/{workspace_id}/faq',
    summary: 'Add a question that nobody asked to the FAQ, with its answer for chosen groups or for all',
    scope: 'questions:write',
    params: { workspace_id },
    body: {
      question: z.object({
        ...entryText,
        text: z._default(entryText.text, ''),
        file_ids: z._default(entryText.file_ids, []),
        category: z.optional(label()),
      }),
      reach: z.enum(FAQ_REACHES),
      group_ids: receivers(),
    },
    success: 201,
    reply: questionThread,
  }),
  editFaq: endpoint({
    method: 'PUT',
    path: '/workspaces/{workspace_id}/faq/{question_id}',
    summary: 'Change one of the FAQ or who receives it; what was asked stays, what admins wrote may change',
    scope: 'questions:write',
    params,
    body: {
      question: z.object({
        subject: z.optional(entryText.subject),
        text: z.optional(entryText.text),
        answer: z.optional(entryText.answer),
        file_ids: z.optional(entryText.file_ids),
        category: z.optional(z.nullable(label())),
      }),
      reach: z.optional(z.enum(FAQ_REACHES)),
      group_ids: receivers(),
      answered_at: answered_at(),
    },
    success: 200,
    reply: questionThread,
  }),
  placeFaq: endpoint({
    method: 'PUT',
    path: '/workspaces/{workspace_id}/faq/{question_id}/place',
    summary: 'Take an answer given to more than the asking group among the FAQ, move it there, or take it out',
    scope: 'questions:write',
    params,
    body: {
      faq: z._default(z.boolean(), true),
      /** The one of the FAQ that it follows; null to be the first. By default it keeps its place, or becomes the last. */
      after: z.optional(z.nullable(z.uuid())),
    },
    success: 200,
    reply: questionThread,
  }),
  getSettings: endpoint({
    method: 'GET',
    path: '/workspaces/{workspace_id}/question_settings',
    summary:
      'Which groups may ask how much, the categories of questions, and for admins who answers those of a category',
    scope: 'questions:read',
    params: { workspace_id },
    success: 200,
    reply: questionSettings,
  }),
  updateSettings: endpoint({
    method: 'PUT',
    path: '/workspaces/{workspace_id}/question_settings',
    summary: 'Set which groups may ask how much, the categories of questions, and who answers those of a category',
    scope: 'questions:write',
    params: { workspace_id },
    body: {
      categories: z.optional(z.array(label()).check(z.maxLength(MOST_CATEGORIES))),
      /** Of all categories that have one. A category that goes takes its route along. What a route leaves out stays. */
      routes: z.optional(
        z
          .array(
            z.object({
              category: label(),
              assignee_id: z.optional(z.nullable(id())),
              approver_id: z.optional(z.nullable(id())),
              days: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(366)))),
            }),
          )
          .check(z.maxLength(MOST_CATEGORIES)),
      ),
      groups: z._default(
        z
          .array(
            z.object({
              group_id: id(),
              may_ask: z.optional(z.boolean()),
              most: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
              days: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(366)))),
            }),
          )
          .check(z.maxLength(MOST_GROUPS)),
        [],
      ),
    },
    success: 200,
    reply: questionSettings,
  }),
}
