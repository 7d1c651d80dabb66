import { t } from '@lingui/core/macro'
import ListItemText from '@mui/material/ListItemText'
import MenuItem from '@mui/material/MenuItem'
import { Check } from 'lucide-react'
import { useReading } from '../../api/query.ts'
import { notificationsQuery } from '../../shared/weekly-report.ts'

interface WeeklyItemProps {
  workspaceId: number
  onChoose: (wanted: boolean) => void
}

/** Chooses in a menu whether the weekly report of a workspace is mailed to the user. */
export function WeeklyItem({ workspaceId, onChoose }: WeeklyItemProps) {
  const { data } = useReading(notificationsQuery())
  const room = data?.workspaces.find(({ workspace_id }) => workspace_id === workspaceId)
  const isOn = room?.weekly_report === true && !room.suppressed
  return (
    <MenuItem
      role="menuitemcheckbox"
      aria-checked={isOn}
      disabled={!room || room.weekly_report === null || room.suppressed}
      onClick={() => onChoose(!isOn)}
      sx={{ gap: 2, maxWidth: 320, whiteSpace: 'normal' }}
    >
      <ListItemText
        primary={t`By mail every week`}
        secondary={
          room?.suppressed ? t`The team sends no mails` : t`On Mondays at eight, unless there is nothing to tell`
        }
      />
      <Check size={16} aria-hidden style={{ flex: 'none' }} visibility={isOn ? 'visible' : 'hidden'} />
    </MenuItem>
  )
}
