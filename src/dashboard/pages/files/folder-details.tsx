import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import { FolderIcon } from '../../shared/file-icon.tsx'
import { fullDate, number } from '../../ui/format.ts'
import { countWords } from '../../shared/names-of.ts'
import type { Abilities, FolderContent, FolderMeta } from './entries.ts'
import { Fact, Facts } from './facts.tsx'
import { ROOT } from './tree-rows.ts'

interface FolderDetailsProps {
  name: string
  folder: FolderMeta
  /** Undefined until it is read. */
  content: Pick<FolderContent, 'abilities' | 'totals'> | undefined
  actions?: ReactNode
  order?: ReactNode
}

export function FolderDetails({ name, folder, content, actions, order }: FolderDetailsProps) {
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
      </div>
      {actions}
      <Facts>
        {content && <Fact label="You may">{rightsWords(content.abilities)}</Fact>}
        {folder.id !== ROOT && (
          <>
            <Fact label="Path">{folder.path}</Fact>
            <Fact label="Place in the folder above">
              {number(folder.index)}
              {order}
            </Fact>
          </>
        )}
        {folder.created_at && <Fact label="Created">{fullDate(folder.created_at)}</Fact>}
        {folder.updated_at && <Fact label="Changed">{fullDate(folder.updated_at)}</Fact>}
      </Facts>
    </>
  )
}

/** A chosen folder: its counts and the caller's rights are in its content, of which the first page will do. */
export function ChosenFolderDetails({
  workspaceId,
  ...props
}: Omit<FolderDetailsProps, 'content'> & { workspaceId: number }) {
  const { data } = useQuery(
    read(api.folders.get, {
      params: { id: props.folder.id },
      query: { workspace_id: workspaceId, page: 1, per_page: 25 },
    }),
  )
  return <FolderDetails {...props} content={data} />
}

function holdsWords(totals: FolderContent['totals']): string {
  const words = countWords(totals)
  return words === 'nothing' ? 'Empty' : words.charAt(0).toUpperCase() + words.slice(1)
}

function rightsWords({ view, download, upload, manage }: Abilities): string {
  if (!view) return 'pass through to the folders below'
  const words = ['view', download && 'download', upload && 'upload', manage && 'manage files'].filter(Boolean)
  return words.length === 1 ? 'view only' : words.join(', ')
}
