import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/failures.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'

interface ReportButtonProps {
  workspace: { id: number; name: string }
  days: number
}

/** Saves the report of the shown days as a workbook or as a PDF with plots. */
export function ReportButton({ workspace, days }: ReportButtonProps) {
  const toasts = useToasts()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [making, setMaking] = useState(false)
  const save = async (format: 'xlsx' | 'pdf') => {
    setAnchor(null)
    setMaking(true)
    try {
      const { REPORTS } = await import('./report.ts')
      await REPORTS[format](workspace, days)
    } catch (failure) {
      toasts.failed(messageOf(failure))
    }
    setMaking(false)
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
        <MenuItem onClick={() => void save('xlsx')}>{t`Excel (XLSX)`}</MenuItem>
        <MenuItem onClick={() => void save('pdf')}>{t`PDF with plots`}</MenuItem>
      </Menu>
    </>
  )
}
