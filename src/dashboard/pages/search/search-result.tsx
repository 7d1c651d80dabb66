import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { paths } from '../../paths.ts'
import { FileIcon } from '../../shared/file-icon.tsx'
import { bytes } from '../../ui/format.ts'
import { Time } from '../../ui/time.tsx'
import { MarkedText } from './marked-text.tsx'

interface SearchResultProps {
  hit: Reply<typeof api.files.search>[number]
  workspaceId: number
}

export function SearchResult({ hit, workspaceId }: SearchResultProps) {
  return (
    <Item>
      <Row to={paths.files(workspaceId, hit.folder_id, { file: hit.id })}>
        <FileIcon name={hit.file_name} size={20} />
        <div style={{ minWidth: 0, flex: 1 }}>
          <Typography noWrap title={hit.title} sx={{ fontWeight: 500 }}>
            {hit.title}
          </Typography>
          <Typography noWrap variant="caption" color="textSecondary" sx={{ display: 'block' }}>
            {hit.folder_path}
          </Typography>
          {hit.snippet && <MarkedText {...hit.snippet} />}
        </div>
        <Facts>
          <Time at={hit.updated_at} />
          <span>{bytes(hit.file_size)}</span>
        </Facts>
      </Row>
    </Item>
  )
}

const Item = styled('li')(({ theme }) => ({ '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` } }))

const Row = styled(Link)(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  minHeight: 48,
  padding: '4px 16px',
  color: theme.vars.palette.text.primary,
  textDecoration: 'none',
  '&:hover': { background: theme.vars.palette.selection.row },
  '&:focus-visible': { outlineOffset: -2 },
}))

const Facts = styled('span')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '100px 64px',
  gap: 12,
  flexShrink: 0,
  textAlign: 'right',
  [theme.breakpoints.down('sm')]: { display: 'none' },
}))
