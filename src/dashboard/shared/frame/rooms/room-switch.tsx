import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { Opening } from '../../../ui/states/opening.tsx'

// Loaded when it is first opened.
const RoomChoices = lazy(async () => ({ default: (await import('./room-choices.tsx')).RoomChoices }))

/** Shows the name of the open workspace, and leads to the others. */
export function RoomSwitch({ id, name }: { id: number; name: string }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
  return (
    <>
      <Name
        aria-label={t`${name}, change to another workspace`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        title={name}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <span>{name}</span>
        <ChevronDown size={16} aria-hidden />
      </Name>
      <Suspense fallback={<Opening onClose={close} />}>
        {anchor && <RoomChoices current={id} anchor={anchor} onClose={close} />}
      </Suspense>
    </>
  )
}

const Name = styled(IconButton)({
  flex: '0 1 auto',
  gap: 4,
  minWidth: 0,
  minHeight: 32,
  marginLeft: -6,
  padding: '4px 6px',
  font: 'inherit',
  '& > span': { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& > svg': { flexShrink: 0 },
})
