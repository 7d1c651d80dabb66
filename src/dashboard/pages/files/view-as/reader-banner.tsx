import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Eye } from 'lucide-react'
import { Link } from 'react-router-dom'
import { paths } from '../../../paths.ts'
import { useRoomAddress } from '../room-listing.tsx'

/** Tells through whose eyes the page looks. Leaving leads to the same folder, as the admin sees it. */
export function ReaderBanner({ name }: { name: string }) {
  const { workspaceId, folderId } = useRoomAddress()
  return (
    <Banner role="note">
      <Eye size={18} aria-hidden />
      <span>
        <Trans>
          You see this workspace as <strong>{name}</strong>. Nothing can be changed here.
        </Trans>
      </span>
      <Button component={Link} to={paths.files(workspaceId, folderId)} variant="outlined" size="small">
        <Trans context="view as">Leave</Trans>
      </Button>
    </Banner>
  )
}

const Banner = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  padding: '8px 16px',
  overflowWrap: 'anywhere',
  background: theme.vars.palette.primary.main,
  color: theme.vars.palette.primary.contrastText,
  svg: { flexShrink: 0 },
  a: { marginLeft: 'auto', flexShrink: 0, color: 'inherit', borderColor: 'currentcolor' },
}))
