import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useParams, useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { prefetch, read } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { Choice } from '../../ui/choice.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Turner } from '../../ui/turner.tsx'
import { SearchResult } from './search-result.tsx'

const PAGE_SIZES = [25, 50, 75, 100] as const

export function loader({ params, request }: LoaderFunctionArgs) {
  const search = searchAt(params['workspaceId'], new URL(request.url).searchParams)
  return search.q === '' ? null : prefetch(queryOf(search))
}

/** All results of a search, a page at a time; the address holds what is searched, where, and how many are shown. */
export function SearchPage() {
  const { workspaceId: id } = useParams()
  const [params, setParams] = useSearchParams()
  const search = searchAt(id, params)
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params)
    if (value === '') next.delete(name)
    else next.set(name, value)
    next.delete('page')
    setParams(next, { replace: true })
  }
  const { q } = search
  if (q === '') return <NothingAsked />
  return (
    <Box sx={{ maxWidth: 960, mx: 'auto' }}>
      <PageHeader title={t`Results for “${q}”`}>
        <Choices>
          <FolderChoice {...search} onChange={(folder) => set('folder', folder)} />
          <Choice
            label={t`Per page`}
            value={String(search.perPage)}
            options={PAGE_SIZES.map((size) => [String(size), String(size)])}
            onChange={(size) => set('per_page', size)}
          />
        </Choices>
      </PageHeader>
      <Results {...search} />
    </Box>
  )
}

const Choices = styled('div')({ display: 'grid', gridTemplateColumns: '176px 96px', gap: 12, paddingTop: 6 })

interface Search {
  workspaceId: number
  q: string
  /** 0: everywhere. */
  folder: number
  page: number
  perPage: (typeof PAGE_SIZES)[number]
}

function NothingAsked() {
  return (
    <Box sx={{ maxWidth: 960, mx: 'auto' }}>
      <PageHeader title={t`Search`} />
      <EmptyState
        icon={SearchX}
        title={t`Search for something`}
        text={t`Press / and type words of a file’s title or text.`}
      />
    </Box>
  )
}

/** Everywhere, or one of the folders at the top with all that is below. */
function FolderChoice({ workspaceId, folder, onChange }: Search & { onChange: (folder: string) => void }) {
  const { data } = useQuery(read(api.workspaces.home, { params: { id: workspaceId } }))
  const options = (data?.immediate_subfolders ?? []).map(({ id, name }): [string, string] => [String(id), name])
  return (
    <Choice
      label={t`Folder`}
      none={t`All folders`}
      value={folder === 0 ? '' : String(folder)}
      options={options}
      onChange={onChange}
    />
  )
}

function Results(search: Search) {
  const { workspaceId, page, perPage } = search
  const { data: hits } = useSuspenseQuery(queryOf(search))
  if (hits.length === 0 && page === 1) {
    return (
      <EmptyState
        icon={SearchX}
        title={t`Nothing matches`}
        text={t`Only files that you may view are searched. Try fewer or other words.`}
      />
    )
  }
  return (
    <>
      <Paper
        variant="outlined"
        component="ul"
        sx={{ mx: 2, mt: 0, mb: 1.5, p: 0, listStyle: 'none', overflow: 'hidden' }}
      >
        {hits.map((hit) => (
          <SearchResult key={hit.id} hit={hit} workspaceId={workspaceId} />
        ))}
      </Paper>
      <Turner page={page} more={hits.length === perPage} />
    </>
  )
}

function searchAt(id: string | undefined, params: URLSearchParams): Search {
  return {
    workspaceId: idOf(id),
    q: params.get('q')?.trim() ?? '',
    folder: Math.max(0, idOf(params.get('folder') ?? '0')),
    page: Math.max(1, idOf(params.get('page') ?? '1')),
    perPage: PAGE_SIZES.find((size) => String(size) === params.get('per_page')) ?? 25,
  }
}

function queryOf({ workspaceId, q, folder, page, perPage }: Search) {
  const where = folder === 0 ? {} : { folder_id: folder }
  return read(api.files.search, { query: { workspace_id: workspaceId, q, ...where, page, per_page: perPage } })
}

export { SearchPage as Component }
