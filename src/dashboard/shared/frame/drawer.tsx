import { t } from '@lingui/core/macro'
import MuiDrawer from '@mui/material/Drawer'
import { Rail } from './rail.tsx'

/** The rail on a phone. */
export function Drawer({ onClose }: { onClose: () => void }) {
  return (
    <MuiDrawer open onClose={onClose} slotProps={{ paper: { 'aria-label': t`Menu` } }}>
      <Rail />
    </MuiDrawer>
  )
}
