import { i18n } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Download } from 'lucide-react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useReading } from '../../api/query.ts'
import { bytes, shortDate } from '../../ui/words/format.ts'
import { UNPRINTED } from '../../ui/print.ts'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'

interface VersionsPanelProps {
  workspaceId: number
  fileId: number
  version: number
  onChoose: (version: number) => void
  /** Undefined if the user may not download. */
  onDownload: ((version: number) => void) | undefined
}

/** All versions of the file, newest first. Each can be viewed, and downloaded unless it is infected or damaged. */
export function VersionsPanel({ workspaceId, fileId, version, onChoose, onDownload }: VersionsPanelProps) {
  const { data, error, refetch } = useReading(
    read(api.files.versions, { params: { id: fileId }, query: { workspace_id: workspaceId } }),
  )
  return (
    <Panel className={UNPRINTED} aria-label={t`Versions`}>
      <Typography variant="h2" sx={{ p: '16px 20px 8px' }}>
        <Trans>Versions</Trans>
      </Typography>
      {error && !data && <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={3} height={64} columns="minmax(0, 1fr)" />}
      <ol>
        {data?.map((each, index) => (
          <li key={each.version}>
            <button
              type="button"
              aria-current={each.version === version ? 'true' : undefined}
              onClick={() => onChoose(each.version)}
            >
              <strong>
                {versionWords(each.version)}
                {index === 0 && <span className="newest">{t`Newest`}</span>}
              </strong>
              <span>
                {shortDate(each.created_at)}
                {each.uploaded_by_name && ` · ${each.uploaded_by_name}`}
              </span>
              <span>{factsOf(each)}</span>
            </button>
            {onDownload && !each.infected && !each.damaged && (
              <IconButton aria-label={downloadWords(each.version)} onClick={() => onDownload(each.version)}>
                <Download size={16} />
              </IconButton>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

const downloadWords = (version: number) => t`Download version ${version}`

const versionWords = (version: number) => t`Version ${version}`

const STATUS = {
  Pending: msg`waiting to be read`,
  Processing: msg`pages are being made`,
  Failed: msg`pages could not be made`,
  Unsupported: msg`no preview`,
  Ready: undefined,
} as const

function factsOf(version: {
  pages: number
  file_size: string
  viewer_status: keyof typeof STATUS
  infected: boolean | null
  damaged: boolean
}) {
  const status = version.infected
    ? msg`a virus was found`
    : version.damaged
      ? msg`damaged in the storage`
      : STATUS[version.viewer_status]
  const pages = version.pages > 0 && plural(version.pages, { one: '# page', other: '# pages' })
  return [pages, bytes(version.file_size), status && i18n._(status)].filter(Boolean).join(' · ')
}

const Panel = styled('aside')(({ theme }) => ({
  overflow: 'auto',
  background: theme.vars.palette.background.paper,
  [theme.breakpoints.up('sm')]: {
    width: 300,
    flexShrink: 0,
    borderLeft: `1px solid ${theme.vars.palette.divider}`,
  },
  ol: { listStyle: 'none', margin: 0, padding: '0 8px 16px' },
  li: { position: 'relative' },
  'li > .MuiIconButton-root': { position: 'absolute', top: 8, right: 8, width: 32, height: 32 },
  'button:not(.MuiIconButton-root)': {
    display: 'grid',
    gap: 2,
    width: '100%',
    padding: '10px 48px 10px 12px',
    border: 0,
    borderRadius: 8,
    background: 'none',
    font: 'inherit',
    textAlign: 'left',
    color: theme.vars.palette.text.secondary,
    cursor: 'pointer',
  },
  'button:not(.MuiIconButton-root):hover': { background: theme.vars.palette.selection.row },
  'button[aria-current]': { background: theme.vars.palette.selection.item },
  strong: { display: 'flex', alignItems: 'center', gap: 8, fontWeight: 600, color: theme.vars.palette.text.primary },
  '.newest': {
    padding: '0 6px',
    borderRadius: 6,
    border: `1px solid ${theme.vars.palette.divider}`,
    fontSize: '0.6875rem',
    lineHeight: '18px',
    color: theme.vars.palette.text.secondary,
  },
}))
