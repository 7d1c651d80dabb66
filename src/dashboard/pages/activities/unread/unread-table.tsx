import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { Link as RouterLink } from 'react-router-dom'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { api } from '../../../../contract/index.ts'
import { paths } from '../../../paths.ts'
import { FileIcon } from '../../../shared/file-icon.tsx'
import { fullDate, shortDate } from '../../../ui/format.ts'

export type Unread = Reply<typeof api.activities.unread>

export function UnreadTable({ workspaceId, files }: { workspaceId: number; files: Unread['files'] }) {
  return (
    <Table size="small" aria-label="Files that nobody of the group has opened" sx={{ tableLayout: 'fixed' }}>
      <TableHead>
        <TableRow>
          <TableCell>File</TableCell>
          <TableCell className="place">Folder</TableCell>
          <TableCell align="right" sx={{ width: 128 }}>
            Added
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {files.map(({ file_id, folder_id, title, path, created_at }) => (
          <TableRow key={file_id}>
            <TableCell>
              <Name>
                <FileIcon name={title} />
                <Link
                  component={RouterLink}
                  to={paths.files(workspaceId, folder_id, { file: file_id })}
                  color="inherit"
                  underline="hover"
                  noWrap
                  title={title}
                >
                  {title}
                </Link>
              </Name>
            </TableCell>
            <TableCell sx={{ color: 'text.secondary', overflow: 'hidden', textOverflow: 'ellipsis' }} title={path}>
              {path}
            </TableCell>
            <TableCell align="right" title={fullDate(created_at)}>
              {shortDate(created_at)}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

const Name = styled('span')({ display: 'flex', alignItems: 'center', gap: 10, minWidth: 0 })
