import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/failures.ts'
import { useWeeklyReport } from '../../shared/weekly-report.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import type { Span } from './engaged.ts'
import { WeeklyItem } from './weekly-item.tsx'

interface ReportButtonProps {
  workspace: { id: number; name: string }
  span: Span
}

/** Saves the report of the shown days as a workbook or as a PDF with plots, or has it mailed every week. */
export function ReportButton({ workspace, span }: ReportButtonProps) {
  const toasts = useToasts()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const chooseWeekly = useWeeklyReport()
  const [making, setMaking] = useState(false)
  const save = async (format: 'xlsx' | 'pdf') => {
    setAnchor(null)
    setMaking(true)
    try {
      const { REPORTS } = await import('./report.ts')
      await REPORTS[format](workspace, span)
    } catch (failure) {
      toasts.failed(messageOf(failure))
    }
    setMaking(false)
  }
  const choose = (wanted: boolean) => {
    setAnchor(null)
    const text = wanted
      ? t`The weekly report will be mailed to you on Mondays`
      : t`The weekly report will be mailed to you no more`
    chooseWeekly(workspace.id, wanted, () => toasts.done(text))
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
        <Divider />
        <WeeklyItem workspaceId={workspace.id} onChoose={choose} />
      </Menu>
    </>
  )
}
