import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { saying } from '../../field-rules.ts'
import { id, paragraph, perPage, timestamp } from '../../fields.ts'
import { expertBar, MOST_LETTERS, questionFile, questionPlace, questionThread } from './questions.ts'

/** What an expert is to do. A settled question is answered, closed or withdrawn. */
const PASS_STATES = ['waiting', 'replied', 'settled'] as const
/** What was said between the answerers and the expert. */
const SAID_KINDS = ['asked', 'drafted', 'remarked'] as const
export const REPLY_KINDS = ['draft', 'remark'] as const
/** Experts who have a question at the same time. */
export const MOST_EXPERTS = 20
/** Replies of an expert until asked again. */
export const MOST_REPLIES = 50

/** The place and the id of a question. */
const CURSOR = /^\d{1,20}(\.\d{1,6})?_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** A member to whom admins may pass single questions. */
export const questionExpert = z.object({
  user_id: id(),
  name: z.string(),
  email: z.string(),
  /** Those of the member's groups that admins have added. */
  group_ids: z.array(id()),
  bar: expertBar(),
  /** Questions that wait for this expert. */
  waiting: z.int(),
})

/** A question as far as an expert may see it: nothing of who asked, when, or how many questions there are. */
export const passedQuestion = z.object({
  id: z.string(),
  subject: z.string(),
  category: z.nullable(z.string()),
  state: z.enum(PASS_STATES),
  /** When the expert was asked last. */
  asked_at: timestamp(),
  due_on: z.nullable(z.string()),
  /** Null also where the expert may not view it. */
  place: z.nullable(questionPlace),
})

const passedPage = z.object({ questions: z.array(passedQuestion), next: z.nullable(z.string()) })

const somePassed = {
  /** The `next` of the page before. */
  after: z.optional(z.string().check(z.regex(CURSOR, saying('valid_input')))),
  per_page: perPage(50),
}

export const passedThread = z.extend(passedQuestion, {
  text: z.string(),
  /** Documents of the draft that the expert may view. */
  files: z.array(questionFile),
  entries: z.array(
    z.object({
      kind: z.enum(SAID_KINDS),
      /** Of the expert. */
      own: z.boolean(),
      user_name: z.string(),
      text: z.string(),
      created_at: timestamp(),
    }),
  ),
})

const workspace_id = id()
const user_id = id()
const question_id = z.uuid()

export const experts = {
  list: endpoint({
    method: 'GET',
    path: '/workspaces/{workspace_id}/question_experts',
    summary: 'Members to whom questions may be passed, and who of them gets none now',
    scope: 'questions:read',
    params: { workspace_id },
    success: 200,
    reply: z.array(questionExpert),
  }),
  add: endpoint({
    method: 'POST',
    path: '/workspaces/{workspace_id}/question_experts',
    summary: 'Name a member an expert: neither an admin nor in a group that asks, and invited or here already',
    scope: 'questions:write',
    params: { workspace_id },
    body: { user_id },
    success: 201,
    reply: questionExpert,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/question_experts/{user_id}',
    summary: 'Take an expert off, which withdraws all questions that were passed to them',
    scope: 'questions:write',
    params: { workspace_id, user_id },
    success: 204,
  }),
  pass: endpoint({
    method: 'POST',
    path: '/workspaces/{workspace_id}/questions/{question_id}/experts',
    summary: 'Pass an unanswered question to experts, or ask them again',
    scope: 'questions:write',
    params: { workspace_id, question_id },
    body: {
      user_ids: z.array(id()).check(z.minLength(1), z.maxLength(MOST_EXPERTS)),
      text: z._default(paragraph(MOST_LETTERS.words), ''),
    },
    success: 201,
    reply: questionThread,
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/questions/{question_id}/experts/{user_id}',
    summary: 'Withdraw a question from an expert, who does not see it any more',
    scope: 'questions:write',
    params: { workspace_id, question_id, user_id },
    success: 200,
    reply: questionThread,
  }),
  viewAs: endpoint({
    method: 'GET',
    path: '/workspaces/{workspace_id}/questions/{question_id}/experts/{user_id}',
    summary: 'A question exactly as the expert sees it now',
    scope: 'questions:read',
    params: { workspace_id, question_id, user_id },
    success: 200,
    reply: passedThread,
  }),
  viewPassedAs: endpoint({
    method: 'GET',
    path: '/workspaces/{workspace_id}/question_experts/{user_id}/passed_questions',
    summary:
      'Questions that were passed to a person, as that person sees them listed now, or would once terms that await are accepted',
    scope: 'questions:read',
    params: { workspace_id, user_id },
    query: somePassed,
    success: 200,
    reply: passedPage,
  }),
  listPassed: endpoint({
    method: 'GET',
    path: '/workspaces/{workspace_id}/passed_questions',
    summary: 'Questions that were passed to the caller, first those that wait',
    scope: 'questions:read',
    params: { workspace_id },
    query: somePassed,
    success: 200,
    reply: passedPage,
  }),
  getPassed: endpoint({
    method: 'GET',
    path: '/workspaces/{workspace_id}/passed_questions/{question_id}',
    summary: 'One question that was passed to the caller, with what was said between them and the answerers',
    scope: 'questions:read',
    params: { workspace_id, question_id },
    success: 200,
    reply: passedThread,
  }),
  reply: endpoint({
    method: 'POST',
    path: '/workspaces/{workspace_id}/passed_questions/{question_id}/replies',
    summary: 'Write the draft of an answer or a remark to the answerers, who alone give answers',
    scope: 'questions:write',
    params: { workspace_id, question_id },
    body: {
      kind: z.enum(REPLY_KINDS),
      text: paragraph(MOST_LETTERS.draft).check(z.minLength(1)),
      /** That of the question as it was read: a reply never settles what was asked since. */
      asked_at: z.iso.datetime({ offset: true }),
    },
    success: 201,
    reply: passedThread,
  }),
}
