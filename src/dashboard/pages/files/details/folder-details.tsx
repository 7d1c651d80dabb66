import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useReading } from '../../../api/query.ts'
import { FolderIcon } from '../../../shared/file-icon.tsx'
import { fullDate } from '../../../ui/words/format.ts'
import { countWords } from '../../../shared/names-of.ts'
import type { Abilities, FolderContent, FolderMeta } from '../../../shared/listing/entries.ts'
import { DraftChip } from '../../../shared/listing/draft-chip.tsx'
import { Fact, Facts } from './facts.tsx'
import { folderQuery, ROOT, type Workspace } from '../../../shared/listing/folder-query.ts'

interface FolderDetailsProps {
  name: string
  folder: FolderMeta
  /** With the numbers of the reader. */
  path: string
  /** Undefined until the content is read. */
  content: Pick<FolderContent, 'abilities' | 'totals'> | undefined
  /** The workspace is shown as somebody else sees it. */
  isSeen?: boolean
  actions?: ReactNode
  order?: ReactNode
  /** The groups that may enter the folder. */
  access?: ReactNode
  activity?: ReactNode
}

export function FolderDetails({
  name,
  folder,
  path,
  content,
  isSeen,
  actions,
  order,
  access,
  activity,
}: FolderDetailsProps) {
  return (
    <>
      <div>
        <Box sx={{ color: 'primary.main', mb: 1 }}>
          <FolderIcon size={28} />
        </Box>
        <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Typography color="textSecondary">{content ? holdsWords(content.totals) : '\u00a0'}</Typography>
        {folder.draft && <DraftChip>{t({ message: 'Draft', context: 'folder' })}</DraftChip>}
      </div>
      {actions}
      {access}
      {activity}
      <Facts>
        {content && <Fact label={isSeen ? t`They may` : t`You may`}>{rightsWords(content.abilities)}</Fact>}
        {folder.id !== ROOT && (
          <>
            <Fact label={t`Path`}>{path}</Fact>
            <Fact label={t({ message: 'Number', context: 'in the index' })}>
              {folder.draft ? '–' : folder.outline}
              {order}
            </Fact>
          </>
        )}
        {folder.created_at && <Fact label={t`Created`}>{fullDate(folder.created_at)}</Fact>}
        {folder.updated_at && <Fact label={t`Changed`}>{fullDate(folder.updated_at)}</Fact>}
      </Facts>
    </>
  )
}

/** Details of a chosen folder. Its counts and the caller's rights come with its content; the first page is enough. */
export function ChosenFolderDetails({
  workspace,
  ...props
}: Omit<FolderDetailsProps, 'content'> & { workspace: Workspace }) {
  const { data } = useReading(folderQuery(workspace, props.folder.id, { page: 1, per_page: 25 }))
  return <FolderDetails {...props} content={data} isSeen={workspace.seenAs !== undefined} />
}

function holdsWords(totals: FolderContent['totals']): string {
  return totals.folders + totals.files === 0 ? t({ message: 'Empty', context: 'of a folder' }) : countWords(totals)
}

function rightsWords({ view, download, upload, manage }: Abilities): string {
  if (!view) return t`pass through to the folders below`
  if (!download && !upload && !manage) return t`view only`
  const words = [
    t({ message: 'view', context: 'what one may do' }),
    download && t({ message: 'download', context: 'what one may do' }),
    upload && t({ message: 'upload', context: 'what one may do' }),
    manage && t({ message: 'manage files', context: 'what one may do' }),
  ]
  return words.filter(Boolean).join(', ')
}
