import { t } from '@lingui/core/macro'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Link as RouterLink } from 'react-router-dom'
import { filePath } from '../../../shared/listing/folder-query.ts'
import type { SeenWorkspace } from '../../../shared/view-as/seen-by.ts'
import { useWorkspace } from '../../../shared/workspace.ts'
import { Time } from '../../../ui/words/time.tsx'
import type { Thread } from '../questions.ts'

/** The answer as its receivers read it, and for admins who they are. */
export function GivenAnswer({ thread, to, seen }: { thread: Thread; to?: string; seen?: SeenWorkspace }) {
  const { answer, answered_at } = thread
  if (answer === '') return null
  return (
    <Given>
      <div>
        <strong>{t`Answer`}</strong>{' '}
        <Typography component="span" color="textSecondary">
          <Time at={answered_at} />
        </Typography>
      </div>
      <Text>{answer}</Text>
      <AnswerFiles files={thread.files} seen={seen} />
      {to !== undefined && <Typography variant="caption" color="textSecondary">{t`Given to ${to}`}</Typography>}
    </Given>
  )
}

/** The documents that the answer points to. */
export function AnswerFiles({ files, seen }: Pick<Thread, 'files'> & { seen?: SeenWorkspace | undefined }) {
  const own = useWorkspace()
  return files.map(({ file_id, title, infected }) => (
    <div key={file_id} style={{ overflowWrap: 'anywhere' }}>
      <Link component={RouterLink} to={filePath(seen ?? own, file_id)}>
        {title}
      </Link>
      {infected === true && (
        <Typography component="span" color="error">
          {' '}
          {t`A virus was found in this file. It cannot be opened.`}
        </Typography>
      )}
    </div>
  ))
}

export const Text = styled('p')({ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', lineHeight: 1.55 })

const Given = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 6,
  padding: 12,
  borderRadius: 8,
  background: theme.vars.palette.selection.row,
}))
