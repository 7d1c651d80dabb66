import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useReading } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { NotRead } from '../../ui/states/not-read.tsx'

/** Whether members must accept terms, and the way to write them. */
export function Terms({ workspaceId }: { workspaceId: number }) {
  const { data, error, refetch } = useReading(read(api.terms.listVersions, { params: { id: workspaceId } }))
  if (!data && error) return <NotRead reason={messageOf(error)} onRetry={() => void refetch()} />
  const titles = (data ?? []).filter(({ in_force }) => in_force).map(({ title }) => title)
  return (
    <>
      <Typography color="textSecondary" sx={{ mb: 1.5, overflowWrap: 'anywhere' }}>
        {data === undefined
          ? '\u00a0'
          : titles.length > 0
            ? t`In force: ${titles.join(', ')}. Members accept them before anything of the workspace is shown to them.`
            : t`None in force. Members can be asked to accept terms before anything of the workspace is shown to them.`}
      </Typography>
      <ButtonLink variant="outlined" to={`${paths.issuedTerms(workspaceId)}#write`}>
        <Trans>Write and issue terms</Trans>
      </ButtonLink>
    </>
  )
}
