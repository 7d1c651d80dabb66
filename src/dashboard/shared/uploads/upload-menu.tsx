import { Trans } from '@lingui/react/macro'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { FilePlus, FolderUp } from 'lucide-react'

interface UploadMenuProps {
  anchor: HTMLElement
  onFiles: () => void
  onFolder: () => void
  onClose: () => void
}

/** Offers files and folders separately, because browsers have different choosers for them. */
export function UploadMenu({ anchor, onFiles, onFolder, onClose }: UploadMenuProps) {
  return (
    <Menu anchorEl={anchor} open onClose={onClose}>
      <MenuItem onClick={onFiles}>
        <FilePlus size={16} />
        <Trans>Files…</Trans>
      </MenuItem>
      <MenuItem onClick={onFolder}>
        <FolderUp size={16} />
        <Trans>Folder…</Trans>
      </MenuItem>
    </Menu>
  )
}
