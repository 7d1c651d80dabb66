import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { FolderContent } from '../../../shared/listing/entries.ts'
import { idsAbove } from './tree-rows.ts'
import { folderPath, ROOT, type Workspace } from '../../../shared/listing/folder-query.ts'

interface BreadcrumbsProps {
  workspace: Workspace
  folderId: number
  /** Undefined until the folder is read; meanwhile an empty line keeps the space. */
  content: Pick<FolderContent, 'folder' | 'numbered_path'> | undefined
}

/** Links to the folders above; nothing at the root. */
export function Breadcrumbs({ workspace, folderId, content }: BreadcrumbsProps) {
  if (folderId === ROOT) return null
  if (!content) return <Crumbs aria-hidden />
  const above = idsAbove(content.folder.id_path)
  const names = [workspace.name, ...content.numbered_path.split('/').slice(1, -1)]
  return (
    <nav aria-label={t`Folders above`}>
      <Crumbs>
        {above.map((id, at) => (
          <li key={id}>
            {at > 0 && <ChevronRight size={12} aria-hidden />}
            <Link to={folderPath(workspace, id)}>{names[at]}</Link>
          </li>
        ))}
      </Crumbs>
    </nav>
  )
}

const Crumbs = styled('ol')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '0 2px',
  minHeight: 24,
  margin: '0 -2px',
  padding: 0,
  listStyle: 'none',
  fontSize: '0.75rem',
  color: theme.vars.palette.text.secondary,
  li: { display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 },
  a: {
    color: 'inherit',
    textDecoration: 'none',
    padding: '3px 2px',
    borderRadius: 4,
    maxWidth: 220,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  'a:hover': { color: theme.vars.palette.text.primary, textDecoration: 'underline' },
  'a:focus-visible': { outlineOffset: 0 },
}))
