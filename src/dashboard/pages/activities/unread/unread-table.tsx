import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
import { fullDate, shortDate } from '../../../ui/words/format.ts'

export type Unread = Reply<typeof api.activities.unread>

export function UnreadTable({ workspaceId, files }: { workspaceId: number; files: Unread['files'] }) {
  return (
    <Files size="small" aria-label={t`Files that nobody of the group has opened`}>
      <TableHead>
        <TableRow>
          <TableCell>{t`File`}</TableCell>
          <TableCell className="place">{t`Folder`}</TableCell>
          <TableCell align="right" className="added">
            <Trans>Added</Trans>
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {files.map(({ file_id, folder_id, title, kind, numbered_path: path, created_at }) => (
          <TableRow key={file_id}>
            <TableCell>
              <Name>
                <FileIcon kind={kind} />
                <span className="what">
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
                  <span className="path">{path}</span>
                </span>
              </Name>
            </TableCell>
            <TableCell className="place" title={path}>
              {path}
            </TableCell>
            <TableCell align="right" title={fullDate(created_at)}>
              {shortDate(created_at)}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Files>
  )
}

/** On phones the folder is shown below the name. */
const Files = styled(Table)(({ theme }) => ({
  tableLayout: 'fixed',
  '.added': { width: 128 },
  'td.place, .path': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  'td.place, .path, td:last-of-type': { color: theme.vars.palette.text.secondary },
  '.path': { display: 'none', fontSize: '0.75rem' },
  '.what': { display: 'grid', minWidth: 0 },
  [theme.breakpoints.down('sm')]: { '.place': { display: 'none' }, '.path': { display: 'block' } },
}))

const Name = styled('span')({ display: 'flex', alignItems: 'center', gap: 10, minWidth: 0 })
