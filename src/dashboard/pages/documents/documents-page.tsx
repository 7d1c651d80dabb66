import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { CircleCheck, RotateCw } from 'lucide-react'
import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { ApiFailure, messageOf } from '../../api/failures.ts'
import { prefetch, useAction, useReading } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { documentsQuery, PER_PAGE, statusOf, type Status } from '../../shared/documents.ts'
import { useWorkspaceId } from '../../shared/workspace.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { Turner } from '../../ui/states/turner.tsx'
import { DocumentsTable } from './documents-table.tsx'

export function loader({ params, request }: LoaderFunctionArgs) {
  return prefetch(documentsQuery(idOf(params['workspaceId']), placeIn(new URL(request.url).searchParams)))
}

/** Interval in milliseconds at which the list is read again while a document in it is pending or processing. */
const LOOK_EVERY = 5000

const STATUSES: [Status, MessageDescriptor][] = [
  ['all', msg`All`],
  ['failed', msg`Failed`],
  ['unsupported', msg`No preview`],
  ['waiting', msg`On the way`],
]

/** Lists the files whose pages cannot be shown, or cannot be shown yet, with the reason and a retry. */
export function DocumentsPage() {
  const workspaceId = useWorkspaceId()
  const [search, setSearch] = useSearchParams()
  const place = placeIn(search)
  const { data, error, refetch } = useReading({
    ...documentsQuery(workspaceId, place),
    refetchInterval: ({ state }) => state.data?.some(isOnTheWay) && LOOK_EVERY,
  })
  // A user who may not read the list may not see the page either.
  if (error instanceof ApiFailure && error.code === 403) throw error
  const choose = (status: Status) => setSearch(status === 'all' ? {} : { status }, { replace: true })
  return (
    <>
      <PageHeader title={t`Documents`} text={t`Files whose pages cannot be shown, or not yet`}>
        <ToggleButtonGroup
          size="small"
          exclusive
          aria-label={t`Show`}
          value={place.status}
          onChange={(_, status: Status | null) => status && choose(status)}
          sx={{
            '.MuiToggleButton-root': {
              height: 32,
              px: { xs: 1, sm: 1.5 },
              textTransform: 'none',
              fontSize: '0.8125rem',
            },
          }}
        >
          {STATUSES.map(([status, label]) => (
            <ToggleButton key={status} value={status}>
              {i18n._(label)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <RetryAll workspaceId={workspaceId} any={data?.some(({ status }) => status === 'Failed') ?? false} />
      </PageHeader>
      <Sheet>
        {data ? <Found status={place.status} documents={data} /> : !error && <SkeletonRows height={56} />}
        {error && !data && <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />}
      </Sheet>
      <Turner page={place.page} more={data?.length === PER_PAGE} />
    </>
  )
}

export { DocumentsPage as Component }

const isOnTheWay = ({ status }: { status: string }) => status === 'Pending' || status === 'Processing'

const placeIn = (search: URLSearchParams) => ({
  status: statusOf(search.get('status')),
  page: Math.max(1, idOf(search.get('page') ?? '1')),
})

function Found({
  status,
  documents,
}: {
  status: Status
  documents: Parameters<typeof DocumentsTable>[0]['documents']
}) {
  if (documents.length > 0) return <DocumentsTable documents={documents} />
  const nothing = status === 'all' ? t`Every file can be shown` : t`There are none of these`
  return (
    <EmptyState icon={CircleCheck} title={nothing} text={t`Files that cannot be shown appear here with the reason.`} />
  )
}

function RetryAll({ workspaceId, any }: { workspaceId: number; any: boolean }) {
  const toasts = useToasts()
  const retry = useAction(api.documents.retry, {
    onDone: ({ retried }) =>
      toasts.done(plural(retried, { one: '# document will be read again.', other: '# documents will be read again.' })),
  })
  return (
    <Button
      variant="outlined"
      startIcon={<RotateCw size={16} />}
      disabled={!any || retry.isPending}
      onClick={() =>
        retry.mutate({ body: { workspace_id: workspaceId } }, { onError: (error) => toasts.failed(messageOf(error)) })
      }
    >
      <Trans>Try all failed again</Trans>
    </Button>
  )
}
