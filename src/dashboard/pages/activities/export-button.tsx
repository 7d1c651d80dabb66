import Button from '@mui/material/Button'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/failures.ts'
import { saveCsv } from '../../ui/csv.ts'
import { count, number } from '../../ui/format.ts'
import { useToasts } from '../../ui/toasts.tsx'

interface ExportButtonProps {
  workspace: { id: number; name: string }
  search: URLSearchParams
}

/** What the filters find, as a file for a spreadsheet. */
export function ExportButton({ workspace, search }: ExportButtonProps) {
  const toasts = useToasts()
  const [reading, setReading] = useState(false)
  const save = async () => {
    setReading(true)
    try {
      const { formatActivities, readActivities } = await import('./activities-file.ts')
      const { found, total } = await readActivities(workspace.id, search)
      saveCsv(`${workspace.name} activity.csv`, formatActivities(found))
      const whole = found.length >= total ? '' : `; there are ${number(total)}, narrow the filters for the older ones`
      toasts.done(`${count(found.length, 'event')} saved${whole}`)
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
      Export CSV
    </Button>
  )
}
