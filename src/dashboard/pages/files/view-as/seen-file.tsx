import { t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, useReading } from '../../../api/query.ts'
import type { FileEntry } from '../../../shared/listing/entries.ts'
import type { Reader } from '../../../shared/listing/folder-query.ts'
import { NotRead } from '../../../ui/states/not-read.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { Fact, Facts } from '../details/facts.tsx'
import { FileFacts, FileHead } from '../details/file-facts.tsx'
import { Section } from '../details/section.tsx'
import { useRested } from '../details/use-rested.ts'

type Handling = Reply<typeof api.permissions.viewFileAs>

interface SeenFileProps {
  workspaceId: number
  reader: Reader
  entry: FileEntry
  folderPath: string
}

/** A file as the reader has it, with what they get of it. */
export function SeenFile({ workspaceId, reader, entry, folderPath }: SeenFileProps) {
  const { data, error, refetch } = useReading({
    ...read(api.permissions.viewFileAs, { params: { id: entry.id }, query: { workspace_id: workspaceId, ...reader } }),
    enabled: useRested(),
  })
  return (
    <>
      <FileHead entry={entry} />
      <Section aria-label={t`What they get`}>
        <Typography variant="h3">{t`What they get`}</Typography>
        {data && <Gets file={entry.source} handling={data} />}
        {!data && error && <NotRead reason={messageOf(error)} onRetry={() => void refetch()} />}
        {!data && !error && <SkeletonRows rows={4} height={44} columns="minmax(0, 1fr)" />}
      </Section>
      <FileFacts entry={entry} folderPath={folderPath} admin={false} />
    </>
  )
}

function Gets({ file, handling }: { file: FileEntry['source']; handling: Handling }) {
  const isShown = file.viewer_status === 'Ready' && file.infected !== true
  return (
    <Facts sx={{ borderTop: 0, paddingTop: 0 }}>
      <Fact label={t`Pages`}>{isShown ? pagesWords(handling) : noPagesWords(file)}</Fact>
      {isShown && <Fact label={t`Text of the pages`}>{textWords(handling)}</Fact>}
      {isShown && <Fact label={t`Printing`}>{handling.printable ? t`Permitted` : t`Not permitted`}</Fact>}
      <Fact label={t`Download`}>{downloadWords(file, handling)}</Fact>
    </Facts>
  )
}

const pagesWords = ({ marked_pages: marked }: Handling): string =>
  marked ? t`With their watermark` : t`Without a watermark`

function noPagesWords({ infected, viewer_status: status }: FileEntry['source']): string {
  if (infected) return t`None: a virus was found in this file`
  if (status === 'Pending' || status === 'Processing') return t`None until they are made`
  return t`None: this file has no pages to show`
}

function textWords({ text_layer: layer }: Handling): string {
  if (layer === 'select') return t`Can be found, selected and copied`
  return layer === 'find' ? t`Can be found, not copied` : t`None: the pages are pictures`
}

function downloadWords(file: FileEntry['source'], { download, hindrance }: Handling): string {
  if (download === 'none') return t`Not permitted`
  if (hindrance === 'infected') return t`None: a virus was found in this file`
  if (file.damaged) return t`None: the stored file is damaged`
  if (hindrance === 'not_scanned') return t`None until this file is checked for viruses`
  if (hindrance === 'not_prepared') return t`None until this file is prepared for the watermark`
  if (hindrance === 'unmarkable') return t`None: this file cannot carry their watermark`
  if (download === 'sealed') return t`A sealed copy`
  return download === 'marked' ? t`A copy with their watermark` : t`The original file`
}
