import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { withoutNumber } from '../../../contract/outline/outline.ts'
import { FileIcon } from '../../shared/file-icon.tsx'
import { filePath, folderPath } from '../../shared/listing/folder-query.ts'
import { bytes, number } from '../../ui/words/format.ts'
import { Time } from '../../ui/words/time.tsx'
import { MarkedText } from './marked-text.tsx'
import { roomOf, type Search } from './search-url.ts'
import { RESULT } from './use-result-keys.ts'

interface SearchResultProps {
  hit: Reply<typeof api.files.search>[number]
  /** The viewer marks its words. */
  search: Search
  onOpen: () => void
}

/** Links to the file, where Escape leads back here. The path links to the file's line in its folder. */
export function SearchResult({ hit, search, onOpen }: SearchResultProps) {
  const {
    id,
    title,
    outline,
    number_length,
    kind,
    folder_id,
    numbered_folder_path: place,
    snippet,
    updated_at,
    file_size,
  } = hit
  const room = roomOf(search)
  const linkId = `result-${id}`
  return (
    <Row>
      <FileIcon kind={kind} size={20} />
      <span className="outline">{outline}</span>
      <div style={{ minWidth: 0, flex: 1 }}>
        <Link
          id={linkId}
          className="file"
          title={title}
          to={filePath(room, id, { find: search.q })}
          state={{ opened: id }}
          onClick={onOpen}
          {...RESULT}
        >
          {withoutNumber(title, outline, number_length)}
        </Link>
        <div className="below">
          <Link className="place" title={place} to={folderPath(room, folder_id, { file: id })}>
            {place}
          </Link>
          {snippet && <span className="hits">{hitsIn(snippet)}</span>}
        </div>
        {snippet && <MarkedText {...snippet} />}
      </div>
      <Facts>
        <Time at={updated_at} />
        <span>{bytes(file_size)}</span>
      </Facts>
    </Row>
  )
}

function hitsIn({ hits, is_partial }: NonNullable<SearchResultProps['hit']['snippet']>): string {
  const shown = number(hits)
  return is_partial ? t`${shown} hits or more` : plural(hits, { one: '# hit', other: '# hits' })
}

const Row = styled('li')(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  minHeight: 52,
  padding: '6px 16px',
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '&:hover, &:focus-within': { background: theme.vars.palette.selection.row },
  a: {
    display: 'block',
    width: 'fit-content',
    maxWidth: '100%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    minWidth: 24,
    lineHeight: '24px',
    textDecoration: 'none',
  },
  '.outline': { flexShrink: 0, minWidth: '5ch', color: theme.vars.palette.text.secondary },
  '.file': { fontWeight: 500, color: theme.vars.palette.text.primary },
  // The link to the file covers the whole line; only the path lies above it.
  '.file::after': { content: '""', position: 'absolute', inset: 0 },
  '.file:focus-visible': { outline: 'none' },
  '.file:focus-visible::after': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  '.place': {
    position: 'relative',
    zIndex: 1,
    fontSize: '0.75rem',
    color: theme.vars.palette.text.secondary,
  },
  '.below': { display: 'flex', alignItems: 'baseline', gap: 8 },
  '.hits': {
    flexShrink: 0,
    fontSize: '0.75rem',
    color: theme.vars.palette.text.secondary,
    '&::before': { content: '"·"', marginRight: 8 },
  },
  '.place:hover': { textDecoration: 'underline' },
}))

const Facts = styled('span')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '100px 64px',
  gap: 12,
  flexShrink: 0,
  textAlign: 'right',
  [theme.breakpoints.down('sm')]: { display: 'none' },
}))
