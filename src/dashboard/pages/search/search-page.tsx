import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import { SearchX } from 'lucide-react'
import { useEffect, useState } from 'react'
import {
  useLocation,
  useNavigate,
  useNavigationType,
  useParams,
  useSearchParams,
  type LoaderFunctionArgs,
} from 'react-router-dom'
import { prefetch, useRead } from '../../api/query.ts'
import { folderPath, ROOT } from '../../shared/listing/folder-query.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Turner } from '../../ui/states/turner.tsx'
import { FoundFolders } from './found-folders.tsx'
import { SearchFilters } from './search-filters.tsx'
import { SearchResult } from './search-result.tsx'
import { filesQuery, foldersQuery, isFiltered, roomOf, searchAt, type Search } from './search-url.ts'
import { useResultKeys } from './use-result-keys.ts'

export function loader({ params, request }: LoaderFunctionArgs) {
  const search = searchAt(params['workspaceId'], new URL(request.url).searchParams)
  return search.q === '' ? null : prefetch(filesQuery(search), foldersQuery(search))
}

/** All results of a search, page by page. The address holds the query, the filters and the size of a page. */
export function SearchPage() {
  const { workspaceId } = useParams()
  const [params] = useSearchParams()
  return <ShownSearch search={searchAt(workspaceId, params)} />
}

export function ShownSearch({ search }: { search: Search }) {
  const { q } = search
  const change = useChange()
  if (q === '') return <NothingAsked />
  return (
    <Box sx={{ maxWidth: 960 }}>
      <PageHeader title={t`Results for “${q}”`}>
        <SearchFilters search={search} onChange={(name, value) => change({ [name]: value })} />
      </PageHeader>
      <Results search={search} onClear={() => change({ folder: '', type: '', changed: '' })} />
    </Box>
  )
}

export { SearchPage as Component }

/** Changes the address. Every change goes back to the first page, unless it sets the page. */
function useChange() {
  const [, setParams] = useSearchParams()
  const { state } = useLocation() as { state: unknown }
  return (changes: Record<string, string>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        after.delete('page')
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') after.delete(name)
          else after.set(name, value)
        }
        return after
      },
      { replace: !('page' in changes), state },
    )
}

function NothingAsked() {
  return (
    <Box sx={{ maxWidth: 960 }}>
      <PageHeader title={t`Search`} />
      <EmptyState
        icon={SearchX}
        title={t`Search for something`}
        text={t`Press / and type words of a file’s title or text.`}
      />
    </Box>
  )
}

interface ResultsProps {
  search: Search
  onClear: () => void
}

function Results({ search, onClear }: ResultsProps) {
  const { page, perPage } = search
  const hits = useRead(filesQuery(search))
  const change = useChange()
  const back = useWayBack(search)
  const setOpened = useOpened(hits)
  const more = hits.length === perPage
  useResultKeys({
    turn: (step) => (step === 1 ? more : page > 1) && change({ page: String(page + step) }),
    back,
  })
  return (
    <>
      {page === 1 && !isFiltered(search) && <FoundFolders search={search} />}
      {hits.length === 0 ? (
        <Nothing search={search} onClear={onClear} />
      ) : (
        <Paper
          variant="outlined"
          component="ul"
          aria-label={t`Files`}
          sx={{ mx: 2, mt: 0, mb: 1.5, p: 0, listStyle: 'none', overflow: 'hidden' }}
        >
          {hits.map((hit) => (
            <SearchResult key={hit.id} hit={hit} search={search} onOpen={() => setOpened(hit.id)} />
          ))}
        </Paper>
      )}
      <Turner page={page} more={more} />
    </>
  )
}

function Nothing({ search, onClear }: ResultsProps) {
  if (search.page > 1) {
    return <EmptyState icon={SearchX} title={t`No more results`} text={t`The pages before hold all there are.`} />
  }
  if (!isFiltered(search)) {
    return (
      <EmptyState
        icon={SearchX}
        title={t`Nothing matches`}
        text={
          search.seenAs
            ? t`Only files that they may view are searched. Try fewer or other words.`
            : t`Only files that you may view are searched. Try fewer or other words.`
        }
      />
    )
  }
  return (
    <EmptyState
      icon={SearchX}
      title={t`Nothing matches`}
      text={t`No file with these words fits the filter.`}
      action={
        <Button variant="outlined" onClick={onClear}>
          <Trans>Clear the filter</Trans>
        </Button>
      }
    />
  )
}

/** Goes back to where the search began. */
function useWayBack(search: Search): () => void {
  const { state } = useLocation() as { state: { from?: string } | null }
  const [from] = useState(state?.from)
  const navigate = useNavigate()
  return () => void navigate(from ?? folderPath(roomOf(search), ROOT))
}

let opened: number | undefined

/** Focuses the result of the file from which the user comes back. */
function useOpened(hits: readonly { id: number }[]) {
  const isBack = useNavigationType() === 'POP'
  const [found] = useState(() => (isBack ? hits.find(({ id }) => id === opened)?.id : undefined))
  useEffect(() => {
    if (found !== undefined) document.querySelector<HTMLElement>(`#result-${found}`)?.focus()
  }, [found])
  return (id: number) => {
    opened = id
  }
}
