import { Trans } from '@lingui/react/macro'
import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Send } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button } from '../../../ui/button.tsx'
import { withTexts } from '../../../ui/words/language.ts'
import { useRoomCommands } from '../room-commands.tsx'
import { DraftChip } from '../../../shared/listing/draft-chip.tsx'
import { folderEntry, type FolderContent } from '../../../shared/listing/entries.ts'
import { ROOT } from '../../../shared/listing/folder-query.ts'
import { useRoomAddress } from '../room-listing.tsx'

const loadFirstSteps = withTexts('deal', () => import('./first-steps/first-steps.tsx'))
const FirstSteps = lazy(async () => ({ default: (await loadFirstSteps()).FirstSteps }))
const loadPlanLine = withTexts('deal', () => import('./dialogs/plan-line.tsx'))
const PlanLine = lazy(async () => ({ default: (await loadPlanLine()).PlanLine }))

/** Says above the list of a draft, or of drafts, who sees them, and publishes them. */
export function DraftNote({ content }: { content: FolderContent }) {
  const { folder, immediate_subfolders } = content
  const { workspaceId } = useRoomAddress()
  const { commands } = useRoomCommands()
  const drafts = folder.draft ? [] : immediate_subfolders.filter(({ draft }) => draft)
  return (
    <Note role="note">
      <DraftChip>{t({ message: 'Draft', context: 'folder' })}</DraftChip>
      <span className="words">
        {folder.draft ? (
          <Trans>Only workspace admins see this folder and everything in it.</Trans>
        ) : (
          plural(drafts.length, {
            one: 'Only workspace admins see # folder of this list and everything in it.',
            other: 'Only workspace admins see # folders of this list and everything in them.',
          })
        )}
        <Suspense>
          <PlanLine workspaceId={workspaceId} content={content} />
        </Suspense>
      </span>
      <div className="steps">
        {nothingIsPublished(content) && <FirstSteps workspaceId={workspaceId} />}
        <Button
          variant="outlined"
          startIcon={<Send size={16} />}
          onClick={() => commands.ask('publish', drafts.map(folderEntry))}
        >
          {t`Publish…`}
        </Button>
      </div>
    </Note>
  )
}

const nothingIsPublished = ({ folder, immediate_subfolders, immediate_subfiles }: FolderContent) =>
  folder.id === ROOT && immediate_subfiles.length === 0 && immediate_subfolders.every(({ draft }) => draft)

const Note = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '6px 10px',
  padding: '8px 16px',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '.words': { flex: '1 1 240px', color: theme.vars.palette.text.secondary },
  '.steps': { display: 'flex', flexWrap: 'wrap', gap: '6px 8px' },
}))
