import { t } from '@lingui/core/macro'
import MuiDrawer from '@mui/material/Drawer'
import { Rail } from './rail.tsx'

/** The rail on a phone; choosing a link closes it. */
export function Drawer({ onClose }: { onClose: () => void }) {
  return (
    <MuiDrawer open onClose={onClose} slotProps={{ paper: { 'aria-label': t`Menu` } }}>
      <Rail onLeave={onClose} />
    </MuiDrawer>
  )
}
