import Popper from '@mui/material/Popper'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import { useEffect, useState } from 'react'

const DELAY = 350

export interface Pointed {
  element: HTMLElement
  folderId: number
  column: number
}

interface CellHintProps {
  id: string
  pointed: Pointed | undefined
  lines: readonly string[]
}

/** One tooltip for all cells. It says beforehand what a click will change. */
export function CellHint({ id, pointed, lines }: CellHintProps) {
  const open = useWaited(pointed?.element)
  useEffect(() => {
    if (!open || !pointed) return undefined
    pointed.element.setAttribute('aria-describedby', id)
    return () => pointed.element.removeAttribute('aria-describedby')
  }, [open, pointed, id])
  if (!pointed || !open || lines.length === 0) return null
  return (
    <Popper
      id={id}
      role="tooltip"
      open
      anchorEl={pointed.element}
      placement="top"
      modifiers={[{ name: 'offset', options: { offset: [0, 10] } }]}
      sx={{ zIndex: 'tooltip', pointerEvents: 'none' }}
    >
      <Paper
        elevation={0}
        sx={{
          px: 1.25,
          py: 0.75,
          maxWidth: 300,
          bgcolor: 'text.primary',
          color: 'background.paper',
          borderRadius: 1.5,
        }}
      >
        {lines.map((line) => (
          <Typography key={line} variant="caption" component="p" sx={{ fontWeight: 500 }}>
            {line}
          </Typography>
        ))}
      </Paper>
    </Popper>
  )
}

function useWaited(element: HTMLElement | undefined): boolean {
  const [shown, setShown] = useState<HTMLElement>()
  useEffect(() => {
    if (!element) return
    const timer = setTimeout(() => setShown(element), DELAY)
    return () => {
      clearTimeout(timer)
      setShown(undefined)
    }
  }, [element])
  return element !== undefined && shown === element
}
