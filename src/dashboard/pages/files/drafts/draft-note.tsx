import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Send } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { useRoomCommands } from '../room-commands.tsx'
import { DraftChip } from '../../../shared/listing/draft-chip.tsx'

/** Says above the list of a draft who sees it, and publishes it. */
export function DraftNote() {
  const { commands } = useRoomCommands()
  return (
    <Note role="note">
      <DraftChip>{t({ message: 'Draft', context: 'folder' })}</DraftChip>
      <span className="words">
        <Trans>Only workspace admins see this folder and everything in it.</Trans>
      </span>
      <Button variant="outlined" startIcon={<Send size={16} />} onClick={() => commands.ask('publish', [])}>
        {t`Publish…`}
      </Button>
    </Note>
  )
}

const Note = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '6px 10px',
  padding: '8px 16px',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '.words': { flex: '1 1 180px', color: theme.vars.palette.text.secondary },
}))
