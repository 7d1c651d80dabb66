import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/failures.ts'
import { saveCsv } from '../../ui/words/csv.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'

interface ExportButtonProps {
  workspace: { id: number; name: string }
  search: URLSearchParams
}

/** Saves the activities that match the filters as a file for a spreadsheet. */
export function ExportButton({ workspace, search }: ExportButtonProps) {
  const toasts = useToasts()
  const [reading, setReading] = useState(false)
  const save = async () => {
    const { name } = workspace
    setReading(true)
    try {
      const { formatActivities, readActivities } = await import('./activities-file.ts')
      const { found, hasMore } = await readActivities(workspace.id, search)
      saveCsv(t`${name} activity.csv`, formatActivities(found))
      toasts.done(wordsFor(found.length, hasMore))
    } catch (failure) {
      toasts.failed(messageOf(failure))
    }
    setReading(false)
  }
  return (
    <Button
      variant="outlined"
      startIcon={<Download size={16} />}
      loading={reading}
      loadingPosition="start"
      onClick={() => void save()}
    >
      <Trans>Export CSV</Trans>
    </Button>
  )
}

function wordsFor(saved: number, hasMore: boolean): string {
  if (!hasMore) return plural(saved, { one: '# event saved', other: '# events saved' })
  return plural(saved, {
    one: `# event saved; there are older ones, narrow the filters for them`,
    other: `# events saved; there are older ones, narrow the filters for them`,
  })
}
