import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { CalendarClock, TriangleAlert } from 'lucide-react'
import type { Reply } from '../../../../../contract/endpoint.ts'
import { api } from '../../../../../contract/index.ts'
import { read, useReading } from '../../../../api/query.ts'
import type { FolderContent } from '../../../../shared/listing/entries.ts'
import { openingWords } from './opening-time.ts'
import { type Plan, planWords } from './plan-words.ts'

interface PlanLineProps {
  workspaceId: number
  content: FolderContent
}

/** Says above a list when drafts in it open. */
export function PlanLine({ workspaceId, content }: PlanLineProps) {
  const { data } = useReading(read(api.drafts.list, { params: { id: workspaceId } }))
  const plan = data?.schedule
  const words = plan && (plan.problem === null ? lineWords(plan, data.drafts, content) : planWords(plan))
  if (!words) return null
  const Icon = plan.problem ? TriangleAlert : CalendarClock
  return (
    <Line data-over={plan.problem !== null || undefined}>
      <Icon size={14} aria-hidden /> {words}
    </Line>
  )
}

type Draft = Reply<typeof api.drafts.list>['drafts'][number]

/** Nothing opens in a draft that is not planned itself. */
function lineWords(
  plan: Plan,
  drafts: readonly Pick<Draft, 'folder_id'>[],
  { folder, immediate_subfolders }: FolderContent,
): string | undefined {
  const planned = new Set(plan.folder_ids)
  const path = new Set(folder.id_path.split('.').map(Number))
  const above = drafts.filter(({ folder_id }) => path.has(folder_id))
  if (!above.every(({ folder_id }) => planned.has(folder_id))) return undefined
  const listed = immediate_subfolders.filter(({ draft }) => draft)
  const count = listed.filter(({ id }) => planned.has(id)).length
  if (above.length === 0 && count === 0) return undefined
  const when = openingWords(plan.opens_at)
  if (above.length > 0 || count === listed.length) return t`Opens on ${when}.`
  return plural(count, { one: `# of them opens on ${when}.`, other: `# of them open on ${when}.` })
}

const Line = styled('span')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 6,
  color: theme.vars.palette.text.primary,
  svg: { flex: 'none', color: theme.vars.palette.primary.main },
  '&[data-over] svg': { color: theme.vars.palette.warning.main },
}))
