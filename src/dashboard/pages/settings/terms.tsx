import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'

/** Whether members must accept terms, and the way to write them. */
export function Terms({ workspaceId }: { workspaceId: number }) {
  const { data } = useReading(read(api.terms.listVersions, { params: { id: workspaceId } }))
  const titles = (data ?? []).filter(({ in_force }) => in_force).map(({ title }) => title)
  return (
    <>
      <Typography color="textSecondary" sx={{ mb: 1.5, overflowWrap: 'anywhere' }}>
        {titles.length > 0
          ? t`In force: ${titles.join(', ')}. Members accept them before anything of the workspace is shown to them.`
          : t`None in force. Members can be asked to accept terms before anything of the workspace is shown to them.`}
      </Typography>
      <ButtonLink variant="outlined" to={`${paths.issuedTerms(workspaceId)}#write`}>
        <Trans>Write and issue terms</Trans>
      </ButtonLink>
    </>
  )
}
