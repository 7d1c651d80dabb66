import { plural, t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import type { FileEntry } from '../../../shared/listing/entries.ts'
import { CopyButton } from '../../../ui/fields/copy-button.tsx'
import { bytes, fullDate } from '../../../ui/words/format.ts'
import { typeWords } from '../list/file-types.ts'
import { Fact, Facts, FoldedFacts } from './facts.tsx'

export function FileHead({ entry, unread = false }: { entry: FileEntry; unread?: boolean }) {
  const { label, source } = entry
  const { version, pages } = source
  const summary = [
    source.outline,
    typeWords(source),
    version > 1 && t`Version ${version}`,
    pages > 0 && plural(pages, { one: '# page', other: '# pages' }),
    bytes(source.file_size),
    unread && t`unread`,
  ]
  return (
    <div>
      <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
        {label}
      </Typography>
      <Typography color="textSecondary">{summary.filter(Boolean).join(' · ')}</Typography>
    </div>
  )
}

interface FileFactsProps {
  entry: FileEntry
  folderPath: string
  /** Whether the user administers the workspace. */
  admin: boolean
  order?: ReactNode
  /** Undefined if it is not known. */
  sha256?: string | undefined
}

export function FileFacts({ entry, folderPath, admin, order, sha256 }: FileFactsProps) {
  const { source } = entry
  return (
    <>
      {source.damaged && (
        <Facts>
          <Fact label={t`Content`}>
            {admin
              ? t`Damaged in the storage. Upload the file again, or restore a backup.`
              : t`Damaged in the storage. The admins have been told.`}
          </Fact>
        </Facts>
      )}
      <FoldedFacts title={t`Technical details`}>
        <Fact label={t`Folder`}>{folderPath}</Fact>
        <Fact label={t({ message: 'Number', context: 'in the index' })}>
          {source.outline}
          {order}
        </Fact>
        {source.file_name !== entry.name && <Fact label={t`File name`}>{source.file_name}</Fact>}
        <Fact label={t`Size`}>{sizeWords(source.file_size)}</Fact>
        <Fact label={t`Added`}>{fullDate(source.created_at)}</Fact>
        <Fact label={t`Changed`}>{fullDate(source.updated_at)}</Fact>
        <Fact label={t`Virus check`}>{virusWords(source.infected)}</Fact>
        {sha256 !== undefined && <Checksum sha256={sha256} />}
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

/** "8.9 MB (8,912,345 bytes)". */
function sizeWords(size: string): string {
  const exact = plural(Number(size), { one: '# byte', other: '# bytes' })
  return `${bytes(size)} (${exact})`
}

function virusWords(infected: boolean | null): string {
  if (infected === null) return t`Not checked yet`
  return infected ? t`A virus was found` : t`Nothing found`
}
