import { styled } from '@mui/material/styles'
import { useLayoutEffect } from 'react'
import { type Look, RoomLogo } from './logo.tsx'
import { wearAccents } from './wear-accents.ts'

/** Wears the accents of a room while the user is in it, and shows its logo in the top bar. */
export default function RoomLook({ workspaceId, look }: { workspaceId: number; look: Look }) {
  const { accent_light, accent_dark } = look
  useLayoutEffect(() => wearAccents({ accent_light, accent_dark }), [accent_light, accent_dark])
  return (
    <InBar>
      <RoomLogo workspaceId={workspaceId} look={look} height={28} />
    </InBar>
  )
}

const InBar = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  flex: 'none',
  [theme.breakpoints.down('md')]: { display: 'none' },
}))
