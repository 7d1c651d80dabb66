import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Chip from '@mui/material/Chip'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import { withoutNumber } from '../../../contract/outline/outline.ts'
import { FileIcon } from '../../shared/file-icon.tsx'
import { filePath, type Workspace } from '../../shared/listing/folder-query.ts'
import { Part } from '../../ui/part.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { dayOf, timeOfDay } from '../../ui/words/format.ts'
import { Time } from '../../ui/words/time.tsx'
import type { Welcome } from './welcome-page.tsx'

type NewFile = Welcome['new_files'][number]

/** What others have added or changed since the reader was here last, by day. */
export function NewFiles({ workspace, welcome }: { workspace: Workspace; welcome: Welcome }) {
  const { new_files, new_since, previous_visit_at } = welcome
  const days = Map.groupBy(new_files, ({ changed_at }) => dayOf(changed_at))
  return (
    <Part
      title={previous_visit_at === null ? t`Latest documents` : t`New since your last visit`}
      action={
        <Typography variant="caption" color="textSecondary">
          <Trans>
            since <Time at={new_since} />
          </Trans>
        </Typography>
      }
    >
      {[...days].map(([day, files]) => (
        <section key={day} aria-label={day}>
          <Day>{day}</Day>
          <List>
            {files.map((file) => (
              <Row key={file.file_id} workspace={workspace} file={file} />
            ))}
          </List>
        </section>
      ))}
      <Typography color="textSecondary" sx={{ pt: 1 }}>
        {restOf(welcome)}
      </Typography>
    </Part>
  )
}

function restOf({ new_files, new_files_count }: Welcome): string {
  if (new_files_count === 0) return t`No new documents to show.`
  const rest = new_files_count - new_files.length
  return rest > 0 ? plural(rest, { one: 'and at least # more document', other: 'and at least # more documents' }) : ''
}

function Row({ workspace, file }: { workspace: Workspace; file: NewFile }) {
  const { file_id, title, kind, version, outline, number_length, folder_name, changed_at, unread } = file
  return (
    <li className={unread ? 'unread' : undefined}>
      <i aria-hidden />
      <FileIcon kind={kind} />
      <span className="number">{outline}</span>
      <span className="name">
        <Link to={filePath(workspace, file_id)}>{withoutNumber(title, outline, number_length)}</Link>
        <small>{folder_name}</small>
      </span>
      {unread && (
        <VisuallyHidden>
          <Trans>not viewed yet</Trans>
        </VisuallyHidden>
      )}
      {version > 1 && <Chip size="small" label={t`Version ${version}`} />}
      <time dateTime={changed_at}>{timeOfDay(changed_at)}</time>
    </li>
  )
}

const Day = styled('h3')(({ theme }) => ({
  margin: '0 -16px',
  padding: '6px 16px',
  fontSize: '0.75rem',
  fontWeight: 600,
  color: theme.vars.palette.text.secondary,
  background: theme.vars.palette.background.default,
}))

const List = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  li: { display: 'flex', alignItems: 'center', gap: 10, minHeight: 40, overflowWrap: 'anywhere' },
  'li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  i: { flex: 'none', width: 7, height: 7, borderRadius: '50%' },
  '.unread i': { background: theme.vars.palette.primary.main },
  '.unread a': { fontWeight: 600 },
  '.name': { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 10, flex: 1, minWidth: 0 },
  'a:not(:hover)': { textDecoration: 'none' },
  a: { color: 'inherit' },
  '.number': { flex: 'none', minWidth: 40, color: theme.vars.palette.text.secondary },
  small: { color: theme.vars.palette.text.secondary, fontSize: '0.75rem' },
  time: { color: theme.vars.palette.text.secondary, fontSize: '0.75rem' },
  svg: { flex: 'none' },
}))
