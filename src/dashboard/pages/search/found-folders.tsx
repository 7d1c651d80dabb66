import { t } from '@lingui/core/macro'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import { useReading } from '../../api/query.ts'
import { numberedName, pathAbove } from '../../shared/listing/entries.ts'
import { FolderIcon } from '../../shared/file-icon.tsx'
import { folderPath } from '../../shared/listing/folder-query.ts'
import { foldersQuery, roomOf, type Search } from './search-url.ts'
import { RESULT } from './use-result-keys.ts'

const MOST = 5

/** Folders with a matching name, above the files. Hidden if there are none. */
export function FoundFolders({ search }: { search: Search }) {
  const { data = [] } = useReading(foldersQuery(search))
  if (data.length === 0) return null
  return (
    <Sheet variant="outlined" component="ul" aria-label={t`Folders`}>
      {data.slice(0, MOST).map(({ id, name, outline, number_length, numbered_path }) => (
        <li key={id}>
          <Link to={folderPath(roomOf(search), id)} {...RESULT}>
            <FolderIcon size={20} />
            <span className="name" title={name}>
              {numberedName(outline, name, number_length)}
            </span>
            <span className="place">{pathAbove(numbered_path)}</span>
          </Link>
        </li>
      ))}
    </Sheet>
  )
}

const Sheet = styled(Paper)(({ theme }) => ({
  margin: '0 16px 12px',
  padding: 0,
  listStyle: 'none',
  overflow: 'hidden',
  'li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  a: {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    minHeight: 40,
    padding: '0 16px',
    color: theme.vars.palette.text.primary,
    textDecoration: 'none',
  },
  'a:hover': { background: theme.vars.palette.selection.row },
  'a:focus-visible': { outlineOffset: -2 },
  '.name, .place': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '.name': { fontWeight: 500 },
  '.place': { fontSize: '0.75rem', color: theme.vars.palette.text.secondary },
})) as typeof Paper
