import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { lazy, Suspense, type ReactNode } from 'react'
import { bytes } from '../../../ui/words/format.ts'
import { withTexts } from '../../../ui/words/language.ts'
import { namesOf } from '../../../shared/names-of.ts'
import { chosenWords } from '../../../shared/listing/chosen-words.ts'
import { nameOfFolder, type Entry, type FolderContent, type FolderEntry } from '../../../shared/listing/entries.ts'
import { FileDetails } from './file-details.tsx'
import { ChosenFolderDetails, FolderDetails } from './folder-details.tsx'
import type { Workspace } from '../../../shared/listing/folder-query.ts'
import { sizeOf } from '../../../shared/listing/sort.ts'
import { ROOT } from '../../../shared/listing/folder-query.ts'

// Loaded only for workspace admins.
const Access = lazy(withTexts('administration', async () => ({ default: (await import('./access.tsx')).Access })))
const ItemActivity = lazy(
  withTexts('administration', async () => ({ default: (await import('./item-activity.tsx')).ItemActivity })),
)
const Versions = lazy(withTexts('administration', async () => ({ default: (await import('./versions.tsx')).Versions })))
// Loaded only while an admin views as somebody.
const SeenFile = lazy(async () => ({ default: (await import('../view-as/seen-file.tsx')).SeenFile }))
const SeenZip = lazy(
  withTexts('administration', async () => ({ default: (await import('../view-as/seen-zip.tsx')).SeenZip })),
)

interface DetailsProps {
  workspace: Workspace
  content: FolderContent
  chosen: readonly Entry[]
  actions: ReactNode
  /** Shown beside the place of the chosen line. */
  order: ReactNode
  onWho: () => void
}

/** Details of the chosen lines or, without a choice, of the folder itself. */
export function Details({ workspace, content, chosen, actions, order, onWho }: DetailsProps) {
  const { folder } = content
  const [entry] = chosen
  const access = workspace.admin && (
    <Suspense>
      <Access
        workspaceId={workspace.id}
        folder={entry?.kind === 'folder' ? entry.source : folder}
        fileId={entry?.kind === 'file' ? entry.id : undefined}
        onWho={onWho}
      />
    </Suspense>
  )
  const { seenAs } = workspace
  // Without a choice, of the open folder; at the top, that would be the whole room.
  const zipped = chosen.length === 0 ? (folder.id === ROOT ? [] : [{ kind: 'folder' as const, id: folder.id }]) : chosen
  const zip = seenAs && zipped.length > 0 && (
    <Suspense>
      <SeenZip workspace={{ ...workspace, seenAs }} chosen={zipped} />
    </Suspense>
  )
  const activity = workspace.admin && (
    <Suspense>
      <ItemActivity
        workspaceId={workspace.id}
        kind={entry?.kind ?? 'folder'}
        id={entry?.id ?? folder.id}
        isCounted={entry !== undefined}
      />
    </Suspense>
  )
  if (!entry) {
    const name = folder.id === ROOT ? workspace.name : nameOfFolder(folder)
    return (
      <Column key={folder.id}>
        <FolderDetails
          name={name}
          folder={folder}
          path={content.numbered_path}
          content={content}
          isSeen={workspace.seenAs !== undefined}
          access={access || zip}
          activity={activity}
        />
      </Column>
    )
  }
  if (chosen.length > 1)
    return (
      <Column>
        <SeveralDetails chosen={chosen} actions={actions} />
        {zip}
      </Column>
    )
  return (
    <Column key={entry.key}>
      {entry.kind === 'folder' ? (
        <ChosenFolderDetails
          workspace={workspace}
          name={entry.label}
          folder={entry.source}
          path={pathIn(content, entry)}
          actions={actions}
          order={order}
          access={access || zip}
          activity={activity}
        />
      ) : workspace.seenAs ? (
        <Suspense>
          <SeenFile
            workspace={{ ...workspace, seenAs: workspace.seenAs }}
            entry={entry}
            folderPath={content.numbered_path}
          />
        </Suspense>
      ) : (
        <FileDetails
          workspaceId={workspace.id}
          entry={entry}
          folderPath={content.numbered_path}
          admin={workspace.admin}
          actions={actions}
          order={order}
          access={access}
          activity={activity}
          versions={
            workspace.admin && (
              <Suspense>
                <Versions workspaceId={workspace.id} fileId={entry.id} />
              </Suspense>
            )
          }
        />
      )}
    </Column>
  )
}

/** The path of a folder that the content lists, in the numbers of the reader. */
const pathIn = ({ numbered_path: above }: FolderContent, { source }: FolderEntry) =>
  `${above === '/' ? '' : above}/${nameOfFolder(source)}`

function SeveralDetails({ chosen, actions }: Pick<DetailsProps, 'chosen' | 'actions'>) {
  const size = chosen.reduce((sum, entry) => sum + sizeOf(entry), 0)
  return (
    <>
      <div>
        <Typography variant="h2">{chosenWords(chosen.length)}</Typography>
        <Typography color="textSecondary">
          {namesOf(chosen)}
          {size > 0 && ` · ${bytes(size)}`}
        </Typography>
      </div>
      {actions}
    </>
  )
}

const Column = styled('div')({ display: 'grid', alignContent: 'start', gap: 16, padding: 20 })
