import { i18n } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import { styled, useTheme } from '@mui/material/styles'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { RotateCw } from 'lucide-react'
import { Link } from 'react-router-dom'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { reasonInWords } from '../../api/service-words.ts'
import { paths } from '../../paths.ts'
import type { Document } from '../../shared/documents.ts'
import { FileIcon } from '../../shared/file-icon.tsx'
import { useWorkspaceId } from '../../shared/workspace.ts'
import { bytes, timeAgo } from '../../ui/words/format.ts'
import { Time } from '../../ui/words/time.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { known } from '../../ui/words/known.ts'

/** On phones the reason is shown below the name. */
export function DocumentsTable({ documents }: { documents: readonly Document[] }) {
  const phone = useMediaQuery(useTheme().breakpoints.down('sm'))
  return (
    <Table size="small" aria-label={t`Documents`}>
      <TableHead>
        <TableRow>
          <TableCell>{t`File`}</TableCell>
          {!phone && <TableCell>{t`What is wrong`}</TableCell>}
          {!phone && <TableCell sx={{ width: 130 }}>{t`Since`}</TableCell>}
          <TableCell sx={{ width: 56 }} align="right">
            <VisuallyHidden>{t`Actions`}</VisuallyHidden>
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {documents.map((document) => (
          <TableRow key={document.file_id} hover sx={{ height: 56 }}>
            <TableCell sx={{ maxWidth: { xs: 240, sm: 320 } }}>
              <FileCell document={document} />
              {phone && <State document={document} />}
            </TableCell>
            {!phone && (
              <TableCell>
                <State document={document} />
              </TableCell>
            )}
            {!phone && (
              <TableCell>
                <Time at={document.updated_at} relative />
              </TableCell>
            )}
            <TableCell align="right">
              <Retry document={document} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

function FileCell({
  document: { file_id, folder_id, title, kind, numbered_folder_path: folderPath, file_size },
}: {
  document: Document
}) {
  const workspaceId = useWorkspaceId()
  return (
    <File>
      <FileIcon kind={kind} size={20} />
      <div style={{ minWidth: 0 }}>
        <Link to={paths.files(workspaceId, folder_id, { file: file_id })} title={title}>
          {title}
        </Link>
        <Typography noWrap variant="caption" color="textSecondary" title={folderPath} sx={{ display: 'block' }}>
          {folderPath} · {bytes(file_size)}
        </Typography>
      </div>
    </File>
  )
}

function State({ document }: { document: Document }) {
  const { status, infected, attempts, next_attempt_at } = document
  const bad = status === 'Failed' || infected === true
  const when = next_attempt_at && isLater(next_attempt_at) && timeAgo(next_attempt_at)
  const tries = attempts > 0 && plural(attempts, { one: '# try', other: '# tries' })
  const facts = [tries, when && t`Next try ${when}`].filter(Boolean).join(' · ')
  return (
    <div style={{ maxWidth: 460 }}>
      <Typography color={bad ? 'error' : undefined}>
        {reasonInWords(document) || i18n._(known(STATUS, status, msg`Another state`))}
      </Typography>
      {facts && (
        <Typography variant="caption" color="textSecondary">
          {facts}
        </Typography>
      )}
    </div>
  )
}

/** A next try that is due within a minute is not mentioned. */
const isLater = (timestamp: string) => new Date(timestamp).getTime() > Date.now() + 60_000

const STATUS = {
  Pending: msg`Waiting to be read`,
  Processing: msg`Is being read`,
  Failed: msg`This file could not be read.`,
  Unsupported: msg`There is no preview for files of this type.`,
  Ready: msg`Ready`,
} as const

/** Pending and processing documents are tried anyway, and an infected file stays infected, so neither has a retry. */
function Retry({ document: { file_id, title, status, infected } }: { document: Document }) {
  const workspaceId = useWorkspaceId()
  const toasts = useToasts()
  const retry = useAction(api.documents.retry, { onDone: () => toasts.done(t`“${title}” will be read again.`) })
  if (infected || status === 'Pending' || status === 'Processing') return null
  const body = { workspace_id: workspaceId, file_ids: [file_id] }
  return (
    <IconButton
      aria-label={t`Try ${title} again`}
      title={t`Try again`}
      disabled={retry.isPending}
      onClick={() => retry.mutate({ body }, { onError: (error) => toasts.failed(messageOf(error)) })}
    >
      <RotateCw size={17} />
    </IconButton>
  )
}

const File = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  minWidth: 0,
  a: {
    display: 'block',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontWeight: 500,
    color: theme.vars.palette.text.primary,
    textDecoration: 'none',
  },
  'a:hover': { textDecoration: 'underline' },
}))
