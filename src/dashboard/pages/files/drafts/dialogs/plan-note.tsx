import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { CalendarClock, TriangleAlert } from 'lucide-react'
import { api } from '../../../../../contract/index.ts'
import { useAction } from '../../../../api/query.ts'
import { useToasts } from '../../../../ui/toasts/toasts.tsx'
import { messageOf } from '../../../../api/failures.ts'
import { type Plan, planWords } from './plan-words.ts'

interface PlanNoteProps {
  workspaceId: number
  plan: Plan
  onCancelled: () => void
}

/** Tells the plan of a workspace, and cancels it. */
export function PlanNote({ workspaceId, plan, onCancelled }: PlanNoteProps) {
  const toasts = useToasts()
  const isOver = plan.problem !== null
  const cancel = useAction(api.drafts.removeSchedule, {
    onDone: () => {
      onCancelled()
      if (!isOver) toasts.done(t`The plan is cancelled. Nothing opens by itself.`)
    },
  })
  const Icon = isOver ? TriangleAlert : CalendarClock
  return (
    <Strip role="note" data-over={isOver || undefined}>
      <Icon size={18} aria-hidden />
      <span className="words">
        {planWords(plan)}
        {cancel.error && <span className="failed">{messageOf(cancel.error)}</span>}
      </span>
      <Button size="small" loading={cancel.isPending} onClick={() => cancel.mutate({ params: { id: workspaceId } })}>
        {isOver ? t`Dismiss` : t`Cancel the plan`}
      </Button>
    </Strip>
  )
}

const Strip = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '6px 10px',
  padding: '8px 12px',
  borderRadius: 8,
  background: theme.vars.palette.selection.row,
  svg: { flex: 'none', color: theme.vars.palette.primary.main },
  '&[data-over] svg': { color: theme.vars.palette.warning.main },
  '.words': { flex: '1 1 220px' },
  '.failed': { display: 'block', color: theme.vars.palette.error.main },
}))
