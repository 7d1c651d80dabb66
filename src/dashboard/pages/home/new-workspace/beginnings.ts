import { t } from '@lingui/core/macro'
import type { Call, Reply } from '../../../../contract/endpoint.ts'
import type { api } from '../../../../contract/index.ts'
import type { TemplateLanguage } from '../../../../contract/endpoints/deal/templates.ts'

export type Template = Reply<typeof api.templates.list>['templates'][number]
type Source = NonNullable<Call<typeof api.workspaces.create>['body']['workspace']['source']>

/** A choice of the dialog. */
export type Beginning = 'empty' | `shipped-${string}` | `template-${number | null}` | `workspace-${number}`

export function nameOfTemplate({ shipped, name }: Pick<Template, 'shipped' | 'name'>): string {
  if (shipped === 'due_diligence') return t`Due diligence`
  if (shipped === 'fundraising') return t`Fundraising`
  if (shipped === 'board') return t`Board meetings`
  if (shipped === 'litigation') return t`Litigation`
  return name
}

export const isWorkspace = (chosen: string): boolean => chosen.startsWith('workspace-')

export const isBeginning = (chosen: string, { id, shipped }: Template): boolean =>
  chosen === (shipped === null ? `template-${id}` : `shipped-${shipped}`)

export function sourceOf(
  chosen: string,
  template: Template | undefined,
  language: TemplateLanguage,
  { drafts, files }: Record<'drafts' | 'files', boolean>,
): Source | undefined {
  if (isWorkspace(chosen)) return { workspace_id: Number(chosen.slice('workspace-'.length)), files, drafts }
  if (!template) return undefined
  const { shipped } = template
  return shipped ? { shipped, language, drafts } : { template_id: template.id ?? 0, drafts }
}
