import { type Api, api } from '../../contract/index.ts'
import { sentenceOf } from '../../contract/acts.ts'
import { administerWorkspace } from '../access/enter/workspace.ts'
import { codedReason } from '../documents/pages/coded-reason.ts'
import { reasonOf } from '../documents/pages/pages-of.ts'
import { fromReplica, type Handlers } from '../http/context.ts'
import { pageHeaders } from '../content/page-headers.ts'
import { recordForAudit } from '../store/audit/audit.ts'
import { listQueue, retryDocuments } from '../store/documents/document-queue.ts'

export const documents: Handlers<Api['documents']> = {
  list: fromReplica(async ({ db, actor, setHeaders }, { query }) => {
    const workspace = await administerWorkspace(db, actor, query.workspace_id)
    const { documents: found, total } = await listQueue(db, workspace, query)
    setHeaders(pageHeaders(api.documents.list, query, total))
    return found.map((document) => ({
      ...document,
      ...codedReason(reasonOf({ ...document, content_type: document.file_content_type }) || document.reason),
    }))
  }),

  retry: async ({ db, actor }, { body }) => {
    const workspace = await administerWorkspace(db, actor, body.workspace_id)

    const retried = await retryDocuments(db, workspace, body.file_ids)
    const act = retried === 1 ? 'document_retried' : 'documents_retried'
    const told = { act, params: { count: String(retried) } } as const
    await recordForAudit(db, workspace, { ...told, subject_id: workspace.id })

    return { retried, message: sentenceOf(told) }
  },
}
