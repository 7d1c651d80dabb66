import { api } from '../../../contract/index.ts'
import type { Person } from '../world.ts'

export interface Terms {
  title?: string
  text?: string
  group_id?: number
  asks_name?: boolean
  digest?: string
}

/** Issues a version of terms. @returns its id */
export async function issueTerms(
  admin: Person,
  workspace_id: number,
  { title = 'Confidentiality terms', text = 'Keep it secret.', ...rest }: Terms = {},
): Promise<number> {
  const params = { id: workspace_id }
  const { sha256 } = await admin.call(api.terms.saveDraft, { params, body: { title, text, ...rest } })
  return (await admin.call(api.terms.issue, { params, body: { group_id: rest.group_id, sha256 } })).id
}

/** Makes a PDF the draft. */
export const draftPdf = (
  admin: Person,
  workspace_id: number,
  pdf: Buffer,
  { file_name = 'Terms.pdf', ...rest }: Omit<Terms, 'text'> & { file_name?: string } = {},
) =>
  admin.call(
    api.terms.setDraftPdf,
    { params: { id: workspace_id }, query: { file_name, ...rest } },
    new Uint8Array(pdf),
  )

/** Issues a version of terms that is a PDF. @returns its id */
export async function issuePdfTerms(
  admin: Person,
  workspace_id: number,
  pdf: Buffer,
  named: Parameters<typeof draftPdf>[3] = {},
): Promise<number> {
  const { sha256, group_id } = await draftPdf(admin, workspace_id, pdf, named)
  const body = { group_id: group_id ?? undefined, sha256 }
  return (await admin.call(api.terms.issue, { params: { id: workspace_id }, body })).id
}

export const acceptTerms = (person: Person, workspace_id: number, terms_id: number, typed_name?: string) =>
  person.call(api.terms.accept, {
    params: { id: workspace_id, terms_id },
    body: { has_read: true, may_accept: true, typed_name },
  })
