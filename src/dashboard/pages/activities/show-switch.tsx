import { t } from '@lingui/core/macro'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'

export type Show = 'feed' | 'unread'

export function ShowSwitch({ value, onChange }: { value: Show; onChange: (show: Show) => void }) {
  return (
    <ToggleButtonGroup
      size="small"
      exclusive
      aria-label={t`Show`}
      value={value}
      onChange={(_, show: Show | null) => show && onChange(show)}
      sx={{ '.MuiToggleButton-root': { height: 32, px: 1.5, textTransform: 'none', fontSize: '0.8125rem' } }}
    >
      <ToggleButton value="feed">{t`What happened`}</ToggleButton>
      <ToggleButton value="unread">{t`Not yet opened`}</ToggleButton>
    </ToggleButtonGroup>
  )
}
