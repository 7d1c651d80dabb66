import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/failures.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { saveBlob } from '../../ui/words/csv.ts'

interface ReportButtonProps {
  workspace: { id: number; name: string }
  days: number
}

/** Saves the report as a workbook, or prints the page with its plots. */
export function ReportButton({ workspace: { id, name }, days }: ReportButtonProps) {
  const toasts = useToasts()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [making, setMaking] = useState(false)
  const save = async () => {
    setAnchor(null)
    setMaking(true)
    try {
      const title = t`${name} engagement`
      const { makeReport } = await import('./report.ts')
      saveBlob(`${title}.xlsx`, await makeReport(id, days, title))
    } catch (failure) {
      toasts.failed(messageOf(failure))
    }
    setMaking(false)
  }
  const print = () => {
    setAnchor(null)
    // After the menu is gone.
    setTimeout(() => window.print(), 300)
  }
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<Download size={16} />}
        loading={making}
        loadingPosition="start"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t`Report`}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem onClick={() => void save()}>{t`Excel (XLSX)`}</MenuItem>
        <MenuItem onClick={print}>{t`Print, or save as PDF`}</MenuItem>
      </Menu>
    </>
  )
}
