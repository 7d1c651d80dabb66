import type { Api } from '../../../contract/index.ts'
import { enterPassedQuestion, manageQuestion } from '../../access/enter/question.ts'
import { viewAs } from '../../access/enter/view-as.ts'
import { administerWorkspace, enterWorkspace } from '../../access/enter/workspace.ts'
import type { Handlers } from '../../http/context.ts'
import { mailExperts } from '../../mail/expert-mail.ts'
import { record } from '../../store/audit/activities.ts'
import { created, type Named, naming, recordForAudit, removed } from '../../store/audit/audit.ts'
import { noteQuestionView } from '../../store/news/unread.ts'
import { deleteExpert, getExpert, insertExpert, listExperts } from '../../store/questions/experts.ts'
import { getPassed, listPassed } from '../../store/questions/passed-questions.ts'
import { holdExperts, insertReply, passQuestion, withdrawPass } from '../../store/questions/passes.ts'
import { getThread } from '../../store/questions/question-thread.ts'
import { requireStatus, UNANSWERED } from '../../store/questions/questions.ts'

export const experts: Handlers<Api['experts']> = {
  list: async ({ db, actor }, { params }) => listExperts(db, await administerWorkspace(db, actor, params.workspace_id)),

  add: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, params.workspace_id)
    const member = await insertExpert(db, workspace, body.user_id)
    if (member) {
      const changes = created({ user_id: member.id })
      await recordForAudit(db, workspace, { act: 'expert_added', ...naming(member), subject_id: workspace.id, changes })
    }
    return getExpert(db, workspace, body.user_id)
  },

  remove: async ({ db, actor }, { params }) => {
    const workspace = await administerWorkspace(db, actor, params.workspace_id)
    const { expert, questions } = await deleteExpert(db, workspace, params.user_id)
    if (questions.length > 0) await record(db, workspace, ...questions.map((question) => withdrawal(question, expert)))
    const changes = removed({ user_id: expert.id })
    await recordForAudit(db, workspace, { act: 'expert_removed', ...naming(expert), subject_id: workspace.id, changes })
  },

  pass: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, params.workspace_id)
    // Before the question, as those who take an expert off do.
    const held = await holdExperts(db, workspace, body.user_ids)
    const question = await manageQuestion(db, workspace, params.question_id)
    requireStatus(question, ...UNANSWERED)
    const passed = await passQuestion(db, question, held, body.text)
    const { subject } = question
    const acts = passed.map((expert) => ({
      act: 'expert_asked' as const,
      ...naming(expert, { subject }),
      subject_id: null,
      changes: created({ question_id: question.id, user_id: expert.id }),
    }))
    await record(db, workspace, ...acts)
    await mailExperts(db, question, passed)
    return getThread(db, workspace, question.id)
  },

  withdraw: async ({ db, actor }, { params }) => {
    const workspace = await administerWorkspace(db, actor, params.workspace_id)
    const question = await manageQuestion(db, workspace, params.question_id)
    const expert = await withdrawPass(db, question, params.user_id)
    await record(db, workspace, withdrawal(question, expert))
    return getThread(db, workspace, question.id)
  },

  viewAs: async ({ db, actor }, { params: { workspace_id, question_id, user_id: userId } }) => {
    const admin = await administerWorkspace(db, actor, workspace_id)
    return viewAs(db, admin, { user_id: userId }, (tx, workspace) => getPassed(tx, { workspace, userId }, question_id))
  },

  viewPassedAs: async ({ db, actor }, { params: { workspace_id, user_id: userId }, query }) => {
    const admin = await administerWorkspace(db, actor, workspace_id)
    return viewAs(db, admin, { user_id: userId }, (tx, workspace) => listPassed(tx, { workspace, userId }, query))
  },

  listPassed: async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, params.workspace_id)
    return listPassed(db, { workspace, userId: actor.id }, query)
  },

  getPassed: async ({ db, actor }, { params: { workspace_id, question_id } }) => {
    const workspace = await enterWorkspace(db, actor, workspace_id)
    const note = () => noteQuestionView(db, workspace, question_id)
    return getPassed(db, { workspace, userId: actor.id }, question_id, note)
  },

  reply: async ({ db, actor }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, params.workspace_id)
    const question = await enterPassedQuestion(db, workspace, params.question_id)
    requireStatus(question, ...UNANSWERED)
    await insertReply(db, question, body)
    const changes = created({ question_id: question.id, subject: question.subject, kind: body.kind })
    await record(db, workspace, { act: 'expert_replied', subject_id: null, changes })
    return getPassed(db, { workspace, userId: actor.id }, question.id)
  },
}

const withdrawal = ({ id, subject }: { id: string; subject: string }, expert: Named) => ({
  act: 'expert_withdrawn' as const,
  ...naming(expert, { subject }),
  subject_id: null,
  changes: removed({ question_id: id, user_id: expert.id }),
})
