import { t } from '@lingui/core/macro'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../paths.ts'

export type ActivityView = 'feed' | 'engagement' | 'unread'

/** The views of the activity of a workspace, for its admins. */
export function ActivityViews({ workspaceId, value }: { workspaceId: number; value: ActivityView }) {
  const navigate = useNavigate()
  const addresses: Record<ActivityView, string> = {
    feed: paths.activities(workspaceId),
    engagement: paths.engagement(workspaceId),
    unread: paths.activities(workspaceId, { show: 'unread' }),
  }
  return (
    <ToggleButtonGroup
      size="small"
      exclusive
      aria-label={t`Show`}
      value={value}
      onChange={(_, next: ActivityView | null) => next && void navigate(addresses[next])}
      sx={{ '.MuiToggleButton-root': { height: 32, px: 1.5, textTransform: 'none', fontSize: '0.8125rem' } }}
    >
      <ToggleButton value="feed">{t`What happened`}</ToggleButton>
      <ToggleButton value="engagement">{t`Engagement`}</ToggleButton>
      <ToggleButton value="unread">{t`Not yet opened`}</ToggleButton>
    </ToggleButtonGroup>
  )
}
