import { plural, t } from '@lingui/core/macro'
import Pagination from '@mui/material/Pagination'
import { styled } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import { Files } from 'lucide-react'
import { Link, useSearchParams } from 'react-router-dom'
import { useRead } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { FileIcon, FolderIcon } from '../../shared/file-icon.tsx'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { TWO_LINES } from '../../ui/words/two-lines.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { documentsQuery, type EngagedGroup, foldersQuery, type Wanted, withWanted } from './engaged.ts'
import { HeatTable, type HeatRow } from './heat-table.tsx'

interface ByDocumentProps {
  workspaceId: number
  wanted: Wanted
  groups: readonly EngagedGroup[]
  /** The document that is shown beside. */
  chosen: number | undefined
}

/** The heat of documents or folders, with its pages. */
export function ByDocument(props: ByDocumentProps) {
  const [search, setSearch] = useSearchParams()
  const { by } = props.wanted
  const set = (name: 'by' | 'page', value: string) => setSearch(withWanted(search, name, value))
  return (
    <Sheet sx={{ m: 0, minWidth: 0 }} aria-label={by === 'folders' ? t`By folder` : t`By document`}>
      <Head>
        <Typography variant="h2">{by === 'folders' ? t`By folder` : t`By document`}</Typography>
        <ToggleButtonGroup
          size="small"
          exclusive
          aria-label={t`Rows`}
          value={by}
          onChange={(_, next: string | null) => next && set('by', next)}
          sx={{ '.MuiToggleButton-root': { height: 28, px: 1.25, textTransform: 'none', fontSize: '0.75rem' } }}
        >
          <ToggleButton value="documents">{t`Documents`}</ToggleButton>
          <ToggleButton value="folders">{t`Folders`}</ToggleButton>
        </ToggleButtonGroup>
      </Head>
      {by === 'folders' ? (
        <FolderRows {...props} onPage={(page) => set('page', String(page))} />
      ) : (
        <DocumentRows {...props} onPage={(page) => set('page', String(page))} />
      )}
    </Sheet>
  )
}

type RowsProps = ByDocumentProps & { onPage: (page: number) => void }

function DocumentRows({ workspaceId, wanted, groups, chosen, onPage }: RowsProps) {
  const [search] = useSearchParams()
  const { files, pagination } = useRead(documentsQuery(workspaceId, wanted))
  if (pagination.total_items === 0)
    return <EmptyState icon={Files} title={t`No documents`} text={t`This room has no files yet.`} />
  const rows = files.map(({ file_id, outline, title, kind, cells }): HeatRow => {
    const name = (
      <Name to={{ search: withWanted(search, 'file', String(file_id)).toString() }} title={title}>
        <FileIcon kind={kind} size={16} />
        <span>{title}</span>
      </Name>
    )
    return { id: file_id, outline, cells, isChosen: file_id === chosen, name }
  })
  const total = plural(pagination.total_items, { one: '# document', other: '# documents' })
  return (
    <>
      <HeatTable label={t`Reading times by document`} of={t`Document`} groups={groups} rows={rows} />
      <Foot total={total} {...pagination} onPage={onPage} />
    </>
  )
}

function FolderRows({ workspaceId, wanted, groups, onPage }: RowsProps) {
  const { folders, pagination } = useRead(foldersQuery(workspaceId, wanted))
  if (pagination.total_items === 0)
    return <EmptyState icon={Files} title={t`No folders`} text={t`This room has no folders yet.`} />
  const rows = folders.map(({ folder_id, outline, name, cells }): HeatRow => {
    const link = (
      <Name to={paths.files(workspaceId, folder_id)} title={name}>
        <FolderIcon size={16} />
        <span>{name}</span>
      </Name>
    )
    return { id: folder_id, outline, cells, isChosen: false, name: link }
  })
  const total = plural(pagination.total_items, { one: '# folder', other: '# folders' })
  return (
    <>
      <HeatTable label={t`Reading times by folder`} of={t`Folder`} groups={groups} rows={rows} />
      <Foot total={total} {...pagination} onPage={onPage} />
    </>
  )
}

interface FootProps {
  total: string
  total_pages: number
  page: number
  onPage: (page: number) => void
}

function Foot({ total, total_pages, page, onPage }: FootProps) {
  return (
    <Row>
      <span>{total}</span>
      {Math.max(page, total_pages) > 1 && (
        <Pagination
          size="small"
          count={total_pages}
          page={page}
          onChange={(_, next) => onPage(next)}
          aria-label={t`Pages`}
        />
      )}
    </Row>
  )
}

const Head = styled('div')({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 8,
  padding: '10px 16px',
})

const Row = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 8,
  minHeight: 40,
  padding: '4px 16px',
  color: theme.vars.palette.text.secondary,
}))

const Name = styled(Link)(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 28,
  color: theme.vars.palette.text.primary,
  textDecoration: 'none',
  '&:hover span': { textDecoration: 'underline' },
  svg: { flexShrink: 0 },
  span: { ...TWO_LINES, lineHeight: 1.3 },
}))
