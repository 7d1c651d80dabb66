import { t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, useReading } from '../../../api/query.ts'
import type { FileEntry } from '../../../shared/listing/entries.ts'
import { filePath, type Reader } from '../../../shared/listing/folder-query.ts'
import { downloadWords, handlingQuery, hasPages, pagesWords, textWords } from '../../../shared/view-as/handling.ts'
import type { SeenWorkspace } from '../../../shared/view-as/seen-by.ts'
import { NotRead } from '../../../ui/states/not-read.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { Fact, Facts } from '../details/facts.tsx'
import { FileFacts, FileHead } from '../details/file-facts.tsx'
import { Preview } from '../details/preview.tsx'
import { Section } from '../details/section.tsx'
import { useRested } from '../details/use-rested.ts'

interface SeenFileProps {
  workspace: SeenWorkspace
  entry: FileEntry
  folderPath: string
}

/** A file as the reader has it, with what they get of it. */
export function SeenFile({ workspace, entry, folderPath }: SeenFileProps) {
  return (
    <>
      <FirstPage workspace={workspace} entry={entry} />
      <FileHead entry={entry} />
      <Gets workspaceId={workspace.id} reader={workspace.seenAs} file={entry.source} />
      <FileFacts entry={entry} folderPath={folderPath} admin={false} />
    </>
  )
}

function FirstPage({ workspace, entry }: Omit<SeenFileProps, 'folderPath'>) {
  const { id, seenAs } = workspace
  const query = { workspace_id: id, ...seenAs, count: 1 }
  const { data, refetch } = useReading({
    ...read(api.permissions.viewPagesAs, { params: { id: entry.id }, query }),
    enabled: useRested(),
  })
  const page = data?.pages[0]
  const { file_name: name, infected, kind } = entry.source
  return (
    <Preview
      id={entry.id}
      name={name}
      infected={infected === true}
      kind={kind}
      image={
        data && {
          ...data,
          page_number: 1,
          expiring_url: page?.expiring_url ?? '',
          expiring_thumbnail_url: page?.expiring_thumbnail_url ?? '',
        }
      }
      to={filePath(workspace, entry.id)}
      renew={() => refetch({ throwOnError: true })}
    />
  )
}

interface GetsProps {
  workspaceId: number
  reader: Reader
  file: FileEntry['source']
}

function Gets({ workspaceId, reader, file }: GetsProps) {
  const { data, error, refetch } = useReading({ ...handlingQuery(workspaceId, file.id, reader), enabled: useRested() })
  return (
    <Section aria-label={t`What they get`}>
      <Typography variant="h3">{t`What they get`}</Typography>
      {!data && error && <NotRead reason={messageOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={4} height={44} columns="minmax(0, 1fr)" />}
      {data && (
        <Facts sx={{ borderTop: 0, paddingTop: 0 }}>
          <Fact label={t`Pages`}>{pagesWords(file, data)}</Fact>
          {hasPages(file) && <Fact label={t`Text of the pages`}>{textWords(data)}</Fact>}
          {hasPages(file) && <Fact label={t`Printing`}>{data.printable ? t`Permitted` : t`Not permitted`}</Fact>}
          <Fact label={t`Download`}>{downloadWords(file, data)}</Fact>
        </Facts>
      )}
    </Section>
  )
}
