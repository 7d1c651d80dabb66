import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import { Ellipsis } from 'lucide-react'
import { useState, type ReactNode } from 'react'

interface RowMenuProps {
  /** Accessible name, with the subject of the actions. */
  label: string
  /** Menu items; a click on any of them closes the menu. */
  children: ReactNode
}

/** The actions of a row, behind three dots. */
export function RowMenu({ label, children }: RowMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const close = () => setAnchor(undefined)
  return (
    <>
      <IconButton
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Ellipsis size={16} />
      </IconButton>
      {anchor && (
        <Menu anchorEl={anchor} open onClose={close} onClick={close}>
          {children}
        </Menu>
      )}
    </>
  )
}
