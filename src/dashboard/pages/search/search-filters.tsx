import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { FILE_TYPES, type FileType } from '../../../contract/endpoints/files.ts'
import { useReading } from '../../api/query.ts'
import { nameOfFolder } from '../../shared/listing/entries.ts'
import { folderQuery, ROOT } from '../../shared/listing/folder-query.ts'
import { Choice } from '../../ui/fields/choice.tsx'
import { PAGE_SIZES, roomOf, SPANS, type Search } from './search-url.ts'

const TYPES: Record<FileType, MessageDescriptor> = {
  pdf: msg`PDF`,
  document: msg`Documents`,
  spreadsheet: msg`Spreadsheets`,
  presentation: msg`Presentations`,
  image: msg`Pictures`,
  message: msg`E-mails`,
  other: msg`Other files`,
}

interface SearchFiltersProps {
  search: Search
  onChange: (name: string, value: string) => void
}

/** Filters by folder, type and time of the change, and sets the number of results per page. */
export function SearchFilters({ search, onChange }: SearchFiltersProps) {
  const { type, changed, perPage } = search
  return (
    <Choices>
      <FolderChoice search={search} onChange={onChange} />
      <Choice
        label={t`Type`}
        none={t`All types`}
        value={type ?? ''}
        options={FILE_TYPES.map((each) => [each, i18n._(TYPES[each])])}
        onChange={(chosen) => onChange('type', chosen)}
      />
      <Choice
        label={t`Changed`}
        none={t`Any time`}
        value={changed === undefined ? '' : String(changed)}
        options={SPANS.map((days) => [String(days), spanWords(days)])}
        onChange={(chosen) => onChange('changed', chosen)}
      />
      <Choice
        label={t`Per page`}
        value={String(perPage)}
        options={PAGE_SIZES.map((size) => [String(size), String(size)])}
        onChange={(chosen) => onChange('per_page', chosen)}
      />
    </Choices>
  )
}

function spanWords(days: (typeof SPANS)[number]): string {
  if (days === 365) return t`Last 12 months`
  return plural(days, { one: 'Last # day', other: 'Last # days' })
}

/** All folders, or one of the folders at the top with everything below it. */
function FolderChoice({ search, onChange }: SearchFiltersProps) {
  const { folder } = search
  const { data } = useReading(folderQuery({ ...roomOf(search), name: '', admin: false }, ROOT))
  return (
    <Choice
      label={t`Folder`}
      none={t`All folders`}
      value={folder === 0 ? '' : String(folder)}
      options={(data?.immediate_subfolders ?? []).map((each) => [String(each.id), nameOfFolder(each)])}
      onChange={(chosen) => onChange('folder', chosen)}
    />
  )
}

const Choices = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '176px 148px 148px 96px',
  gap: 12,
  paddingTop: 6,
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: '1fr 1fr', width: 'calc(100vw - 32px)' },
}))
