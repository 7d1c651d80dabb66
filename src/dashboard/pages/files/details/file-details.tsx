import { plural, t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { CopyButton } from '../../../ui/fields/copy-button.tsx'
import { bytes, fullDate } from '../../../ui/words/format.ts'
import type { FileEntry } from '../../../shared/listing/entries.ts'
import { Fact, Facts, FoldedFacts } from './facts.tsx'
import { FileSealedCopies } from './file-sealed-copies.tsx'
import { typeWords } from '../list/file-types.ts'
import { Preview } from './preview.tsx'
import { useRested } from './use-rested.ts'

/** While a preview is being made, the file is read again at this interval (milliseconds), at most this many times. */
const ASK_EVERY = 4000
const ASK_TIMES = 30

interface FileDetailsProps {
  workspaceId: number
  entry: FileEntry
  folderPath: string
  /** Whether the user administers the workspace. */
  admin: boolean
  actions: ReactNode
  order: ReactNode
  /** The groups that may enter the file's folder. */
  access: ReactNode
  activity: ReactNode
}

export function FileDetails({
  workspaceId,
  entry,
  folderPath,
  admin,
  actions,
  order,
  access,
  activity,
}: FileDetailsProps) {
  const rested = useRested()
  const { data, refetch } = useReading({
    ...read(api.files.get, { params: { id: entry.id }, query: { workspace_id: workspaceId } }),
    enabled: rested,
    refetchInterval: ({ state }) => isComing(state.data) && state.dataUpdateCount < ASK_TIMES && ASK_EVERY,
  })
  const { source } = entry
  const { version, pages } = source
  const summary = [
    t`Version ${version}`,
    pages > 0 && plural(pages, { one: '# page', other: '# pages' }),
    bytes(source.file_size),
  ]
  return (
    <>
      <Preview
        id={entry.id}
        name={source.file_name}
        infected={source.infected === true}
        kind={source.kind}
        image={data?.viewer_image}
        to={paths.view(workspaceId, entry.id)}
        renew={() => refetch({ throwOnError: true })}
      />
      <div>
        <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
          {entry.name}
        </Typography>
        <Typography color="textSecondary">{summary.filter(Boolean).join(' · ')}</Typography>
      </div>
      {actions}
      {access}
      {activity}
      <FileSealedCopies workspaceId={workspaceId} fileId={entry.id} enabled={rested} />
      <Facts>
        <Fact label={t`Type`}>{typeWords(source)}</Fact>
        <Fact label={t`Folder`}>{folderPath}</Fact>
        <Fact label={t({ message: 'Number', context: 'in the index' })}>
          {source.outline}
          {order}
        </Fact>
        {source.damaged && (
          <Fact label={t`Content`}>
            {admin
              ? t`Damaged in the storage. Upload the file again, or restore a backup.`
              : t`Damaged in the storage. The admins have been told.`}
          </Fact>
        )}
      </Facts>
      <FoldedFacts title={t`Technical details`}>
        {source.file_name !== entry.name && <Fact label={t`File name`}>{source.file_name}</Fact>}
        <Fact label={t`Size`}>{sizeWords(source.file_size)}</Fact>
        <Fact label={t`Added`}>{fullDate(source.created_at)}</Fact>
        <Fact label={t`Changed`}>{fullDate(source.updated_at)}</Fact>
        <Fact label={t`Virus check`}>{virusWords(source.infected)}</Fact>
        {data && <Checksum sha256={data.sha256} />}
      </FoldedFacts>
    </>
  )
}

function Checksum({ sha256 }: { sha256: string }) {
  return (
    <Fact label="SHA-256">
      <code style={{ display: 'block', fontSize: 11.5, lineHeight: 1.5, margin: '2px 0 8px' }}>{sha256}</code>
      <CopyButton text={sha256} label={t`Copy checksum`} />
    </Fact>
  )
}

const isComing = (file: Reply<typeof api.files.get> | undefined) =>
  file?.viewer_image.status === 'Pending' || file?.viewer_image.status === 'Processing'

/** "8.9 MB (8,912,345 bytes)". */
function sizeWords(size: string): string {
  const exact = plural(Number(size), { one: '# byte', other: '# bytes' })
  return `${bytes(size)} (${exact})`
}

function virusWords(infected: boolean | null): string {
  if (infected === null) return t`Not checked yet`
  return infected ? t`A virus was found` : t`Nothing found`
}
