import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { Stethoscope } from 'lucide-react'
import type { Reply } from '../../../contract/endpoint.ts'
import { type Api, api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { prefetch, read, useAction, useRead } from '../../api/query.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Part, PartColumns, Parts } from '../../ui/part.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { Time } from '../../ui/words/time.tsx'
import { Backups } from './backups.tsx'
import { Findings } from './findings.tsx'
import { JobsTable } from './jobs-table.tsx'
import { ProcessesTable } from './processes-table.tsx'
import { Storage } from './storage.tsx'
import { Versions } from './versions.tsx'

export type SystemInfo = Reply<Api['system']['get']>

/** Milliseconds after which the page is read again. */
const LOOK_EVERY = 10_000
const LOOK_EVERY_EXAMINING = 1500

const isExamining = ({ examination }: SystemInfo) => examination !== null && examination.ended_at === null

const systemQuery = () => ({
  ...read(api.system.get),
  refetchInterval: ({ state }: { state: { data?: SystemInfo | undefined } }) =>
    state.data && isExamining(state.data) ? LOOK_EVERY_EXAMINING : LOOK_EVERY,
})

export const loader = () => prefetch(read(api.system.get))

/** Shows the processes, jobs, storage and backups of the installation. */
export function SystemPage() {
  const system = useRead(systemQuery())
  return (
    <>
      <PageHeader
        title={t`System`}
        text={
          <Trans>
            As of <Time at={system.as_of} precise />
          </Trans>
        }
      >
        <Examine examining={isExamining(system)} />
      </PageHeader>
      <PartColumns>
        <Parts>
          <Part title={t`Examination`}>
            <Findings examination={system.examination} />
          </Part>
          <Part title={t`Queue`}>
            <JobsTable jobs={system.jobs} />
          </Part>
          <Part title={t`Processes`}>
            <ProcessesTable processes={system.processes} />
          </Part>
        </Parts>
        <Parts>
          <Part title={t`Versions`}>
            <Versions versions={system.versions} />
          </Part>
          <Part title={t`Storage`}>
            <Storage storage={system.storage} examination={system.examination} />
          </Part>
          <Part title={t`Backups`}>
            <Backups backups={system.backups} />
          </Part>
        </Parts>
      </PartColumns>
    </>
  )
}

export { SystemPage as Component }

function Examine({ examining }: { examining: boolean }) {
  const toasts = useToasts()
  const examine = useAction(api.system.examine)
  const isBusy = examining || examine.isPending
  return (
    <Button
      variant="contained"
      startIcon={<Stethoscope size={16} />}
      disabled={isBusy}
      onClick={() => examine.mutate({}, { onError: (error) => toasts.failed(messageOf(error)) })}
    >
      {isBusy ? t`Examining…` : t`Examine`}
    </Button>
  )
}
