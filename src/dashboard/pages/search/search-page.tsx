import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import { useSuspenseQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, SearchX } from 'lucide-react'
import { Link, useParams, useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { prefetch, read } from '../../api/query.ts'
import { idOf, paths } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchResult } from './search-result.tsx'

const PER_PAGE = 25

export function loader({ params, request }: LoaderFunctionArgs) {
  const { q, query } = searchAt(params['workspaceId'], new URL(request.url).searchParams)
  return q === '' ? null : prefetch(query)
}

/** All results of a search, a page at a time; the address holds what is searched. */
export function SearchPage() {
  const { workspaceId: id } = useParams()
  const [search] = useSearchParams()
  const { workspaceId, q, page } = searchAt(id, search)
  return (
    <Box sx={{ maxWidth: 960, mx: 'auto' }}>
      <PageHeader title={q === '' ? t`Search` : t`Results for “${q}”`} />
      {q === '' ? (
        <EmptyState
          icon={SearchX}
          title={t`Search for something`}
          text={t`Press / and type words of a file’s title or text.`}
        />
      ) : (
        <Results workspaceId={workspaceId} q={q} page={page} />
      )}
    </Box>
  )
}

interface ResultsProps {
  workspaceId: number
  q: string
  page: number
}

function Results({ workspaceId, q, page }: ResultsProps) {
  const { data: hits } = useSuspenseQuery(queryOf({ workspaceId, q, page }))
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
    <Box sx={{ px: 2, pb: 2 }}>
      <Paper variant="outlined" component="ul" sx={{ m: 0, p: 0, listStyle: 'none', overflow: 'hidden' }}>
        {hits.map((hit) => (
          <SearchResult key={hit.id} hit={hit} workspaceId={workspaceId} />
        ))}
      </Paper>
      <Turner workspaceId={workspaceId} q={q} page={page} more={hits.length === PER_PAGE} />
    </Box>
  )
}

function Turner({ workspaceId, q, page, more }: ResultsProps & { more: boolean }) {
  if (page === 1 && !more) return null
  const to = (other: number) => ({ component: Link, to: paths.search(workspaceId, q, other) })
  return (
    <Box component="nav" aria-label={t`Pages`} sx={{ display: 'flex', alignItems: 'center', gap: 1, pt: 1.5 }}>
      <Button variant="outlined" startIcon={<ChevronLeft size={16} />} disabled={page === 1} {...to(page - 1)}>
        <Trans>Previous</Trans>
      </Button>
      <Typography color="textSecondary">
        <Trans>Page {page}</Trans>
      </Typography>
      <Button variant="outlined" endIcon={<ChevronRight size={16} />} disabled={!more} {...to(page + 1)}>
        <Trans>Next</Trans>
      </Button>
    </Box>
  )
}

function searchAt(id: string | undefined, search: URLSearchParams) {
  const at = {
    workspaceId: idOf(id),
    q: search.get('q')?.trim() ?? '',
    page: Math.max(1, idOf(search.get('page') ?? '1')),
  }
  return { ...at, query: queryOf(at) }
}

function queryOf({ workspaceId, q, page }: ResultsProps) {
  return read(api.files.search, { query: { workspace_id: workspaceId, q, page, per_page: PER_PAGE } })
}

export { SearchPage as Component }
