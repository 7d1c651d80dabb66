import type { Api } from '../../../contract/index.ts'
import { readerIn } from '../../access/enter/view-as.ts'
import { managedGroup } from '../../access/enter/group.ts'
import { enterDraftTerms, enterTerms } from '../../access/enter/terms.ts'
import { administerWorkspace, approachWorkspace } from '../../access/enter/workspace.ts'
import { termsPagesOf } from '../../content/terms-pages.ts'
import { answersSheet } from '../../documents/answers-sheet.ts'
import { damagedContent, refusal, unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { receiveTerms, recordDraft } from '../../documents/terms/receive-terms.ts'
import type { Context, Handlers } from '../../http/context.ts'
import { record, recordAs } from '../../store/audit/activities.ts'
import { created, recordForAudit, removed } from '../../store/audit/audit.ts'
import { listAnswers } from '../../store/terms/answers.ts'
import { deleteDraft, type DraftOf, findDraft, putDraft, updatePdfDraft } from '../../store/terms/drafts.ts'
import type { Issue } from '../../store/terms/issue-columns.ts'
import { type Answer, getOwnTerms, insertAnswer, lockOwn } from '../../store/terms/own-terms.ts'
import { foreseeTerms } from '../../store/terms/foreseen-terms.ts'
import { listPageTexts } from '../../store/terms/pdfs.ts'
import { getVersion, issueDraft, listVersions, withdrawVersion } from '../../store/terms/versions.ts'

export const terms: Handlers<Api['terms']> = {
  mine: async ({ db, actor }, { params }) => getOwnTerms(db, await approachWorkspace(db, actor, params.id)),

  accept: (context, { params, body }) =>
    answer(context, params.id, { terms_id: params.terms_id, accepted: true, typed_name: body.typed_name }),

  decline: (context, { params }) =>
    answer(context, params.id, { terms_id: params.terms_id, accepted: false, typed_name: '' }),

  pages: async ({ db, actor, services }, { params, query }) => {
    const pdf = await enterTerms(db, await approachWorkspace(db, actor, params.id), params.terms_id)
    return termsPagesOf(services, pdf, await listPageTexts(db, pdf, query), query)
  },

  listVersions: async ({ db, actor }, { params }) => listVersions(db, await administerWorkspace(db, actor, params.id)),

  getVersion: async ({ db, actor }, { params }) =>
    getVersion(db, await administerWorkspace(db, actor, params.id), params.terms_id),

  withdraw: async ({ db, actor }, { params }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const version = await withdrawVersion(db, workspace, params.terms_id)
    await record(db, workspace, {
      act: 'terms_withdrawn',
      ...sayingOf(version),
      changes: removed({ sha256: version.sha256, group_id: version.group_id }),
    })
    return version
  },

  getDraft: async (context, { params, query }) => ({
    draft: await findDraft(context.db, await administerTerms(context, params.id, query.group_id)),
  }),

  saveDraft: async (context, { params, body: { group_id, text, ...written } }) => {
    const of = await administerTerms(context, params.id, group_id)
    const draft = await (text === undefined
      ? updatePdfDraft(context.db, of, written)
      : putDraft(context.db, of, { ...written, text }))
    if (!draft) throw unprocessable('text', 'required')
    await recordDraft(context.db, of, draft)
    return draft
  },

  setDraftPdf: async (context, { params, query: { group_id, ...named } }) => {
    const { services, actor, body } = context
    await administerTerms(context, params.id, group_id)
    const enter = (db: Db) => {
      const present = { ...actor, now: services.clock() }
      return administerTerms({ ...context, db, actor: present }, params.id, group_id)
    }
    return receiveTerms(services, { enter, actor, named }, body)
  },

  draftPages: async (context, { params, query: { group_id, ...which } }) => {
    const { db, services } = context
    const { workspace, group } = await administerTerms(context, params.id, group_id)
    const pdf = await enterDraftTerms(db, workspace, group)
    return termsPagesOf(services, pdf, await listPageTexts(db, pdf, which), which)
  },

  removeDraft: async (context, { params, query }) => {
    const of = await administerTerms(context, params.id, query.group_id)
    const title = await deleteDraft(context.db, of, query.digest)
    if (title === undefined) return
    const deed = { act: 'terms_draft_removed', params: { title }, subject_id: of.workspace.id } as const
    await recordForAudit(context.db, of.workspace, deed)
  },

  issue: async (context, { params, body }) => {
    const of = await administerTerms(context, params.id, body.group_id)
    const version = await issueDraft(context.db, of, body)
    await record(context.db, of.workspace, {
      act: 'terms_issued',
      ...sayingOf(version),
      changes: created({ ...contentOf(version), group_id: version.group_id }),
    })
    return version
  },

  foresee: async ({ db, actor }, { params, query }) =>
    foreseeTerms(db, await administerWorkspace(db, actor, params.id), readerIn(query)),

  listAnswers: async ({ db, actor }, { params }) => listAnswers(db, await administerWorkspace(db, actor, params.id)),

  printAnswers: async ({ db, actor, services }, { params, query: { language, time_zone: timeZone = 'UTC' } }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const { rows, title, ...sheet } = answersSheet(listAnswers(db, workspace), { language, timeZone })
    const at = services.clock().toISOString()
    const task = { ...sheet, title: `${title} ${workspace.name}`, language, timeZone, at }
    return services.indexPrinter.printSheet(rows, task, actor.id)
  },
}

/** @throws ApiError 404 for an unknown group, 422 for a built-in one */
async function administerTerms({ db, actor }: Context, id: number, groupId: number | undefined): Promise<DraftOf> {
  const workspace = await administerWorkspace(db, actor, id)
  if (groupId === undefined) return { workspace, group: undefined }
  const group = await managedGroup(db, workspace, groupId)
  if (group.kind !== 'custom') throw unprocessable('group_id', 'group_with_terms')
  return { workspace, group }
}

/**
 * Declining again is not recorded again.
 * @throws ApiError 404, 409 for a version that is not in force for the caller, or that they have accepted, 422 for
 * accepting a PDF that is not shown
 */
async function answer({ db, actor }: Context, id: number, given: Answer) {
  const threshold = await approachWorkspace(db, actor, id)
  const version = await lockOwn(db, threshold, given.terms_id)
  if (!version.in_force) throw refusal('terms_changed')
  if (version.accepted) throw refusal('terms_answered')
  if (version.declined && !given.accepted) return getOwnTerms(db, threshold)
  if (given.accepted && version.fault) throw version.fault === 'damaged' ? damagedContent() : refusal('terms_infected')
  if (given.accepted && version.asks_name && given.typed_name === '') throw unprocessable('typed_name', 'not_empty')
  await insertAnswer(db, threshold, given)
  await recordAs(db, id, actor, {
    act: given.accepted ? 'terms_accepted' : 'terms_declined',
    ...sayingOf(version),
    changes: created({ ...contentOf(version), typed_name: given.typed_name || undefined }),
  })
  return getOwnTerms(db, await approachWorkspace(db, actor, id))
}

const contentOf = ({ sha256, pdf }: Pick<Issue, 'sha256' | 'pdf'>) => ({ sha256, file_name: pdf?.file_name })

const sayingOf = ({ id, title, version }: Pick<Issue, 'id' | 'title' | 'version'>) => ({
  params: { title, version: String(version) },
  subject_id: id,
})
