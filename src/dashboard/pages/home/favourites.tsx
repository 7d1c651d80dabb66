import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { useId, type ComponentProps } from 'react'
import { Cards } from './cards.tsx'

/** The favourites of all teams, which remain in their teams too. Hidden without any. */
export function Favourites(props: ComponentProps<typeof Cards>) {
  const headingId = useId()
  if (props.workspaces.length === 0) return null
  return (
    <section aria-labelledby={headingId}>
      <Typography id={headingId} variant="h3" component="h2" sx={{ px: 0.5, pb: 1 }}>
        <Trans>Favourites</Trans>
      </Typography>
      <Cards {...props} />
    </section>
  )
}
