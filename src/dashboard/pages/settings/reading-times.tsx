import { plural, t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { workspaceQuery } from '../../shared/workspace.ts'
import { Choice } from '../../ui/fields/choice.tsx'
import { SwitchRow } from '../../ui/fields/switch-row.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'

interface Measured {
  id: number
  measures_reading: boolean
  reading_kept_days: number | null
}

const KEPT_DAYS = [30, 90, 180, 365, 730, 1825]

/** Whether reading times of pages are recorded, and how long they are kept. Choosing stores. */
export function ReadingTimes({ workspace }: { workspace: Measured }) {
  const { measures_reading, reading_kept_days } = workspace
  const change = useChange(workspace.id)
  const kept = reading_kept_days ?? 365
  const days = [...new Set([...KEPT_DAYS, kept])].toSorted((a, b) => a - b)
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <SwitchRow
        label={t`Measure reading`}
        text={
          measures_reading
            ? t`On. The viewer records for how long each page is in view while its window is used. The welcome page tells readers.`
            : t`Off. What was measured before is kept until it is as old as below.`
        }
        checked={measures_reading}
        onChange={(on) => change({ measures_reading: on })}
      />
      <Choice
        label={t`Keep reading times for`}
        value={String(kept)}
        options={days.map((each) => [String(each), plural(each, { one: '# day', other: '# days' })])}
        onChange={(value) => change({ reading_kept_days: Number(value) })}
      />
    </Box>
  )
}

function useChange(id: number) {
  const toasts = useToasts()
  const update = useAction(api.workspaces.update, {
    optimistic: ({ body }, foresee) =>
      foresee(workspaceQuery(id), (before) => ({
        ...before,
        measures_reading: body.workspace.measures_reading ?? before.measures_reading,
        reading_kept_days: body.workspace.reading_kept_days ?? before.reading_kept_days,
      })),
  })
  return (settings: { measures_reading?: boolean; reading_kept_days?: number }) =>
    update.mutate(
      { params: { id }, body: { workspace: settings } },
      { onError: (error) => toasts.failed(messageOf(error)) },
    )
}
