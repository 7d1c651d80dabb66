import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { CalendarClock, TriangleAlert } from 'lucide-react'
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
  const { data } = useReading(read(api.drafts.getSchedule, { params: { id: workspaceId } }))
  const words = data?.schedule && lineWords(data.schedule, content)
  if (!words) return null
  const Icon = data.schedule?.problem ? TriangleAlert : CalendarClock
  return (
    <Line data-over={data.schedule?.problem !== null || undefined}>
      <Icon size={14} aria-hidden /> {words}
    </Line>
  )
}

function lineWords(plan: Plan, { folder, immediate_subfolders }: FolderContent): string | undefined {
  const planned = new Set(plan.folder_ids)
  const isInside = folder.id_path.split('.').some((id) => planned.has(Number(id)))
  const drafts = immediate_subfolders.filter(({ draft }) => draft)
  const count = drafts.filter(({ id }) => planned.has(id)).length
  if (!isInside && count === 0) return undefined
  if (plan.problem !== null) return planWords(plan)
  const when = openingWords(plan.opens_at)
  if (isInside || count === drafts.length) return t`Opens on ${when}.`
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
