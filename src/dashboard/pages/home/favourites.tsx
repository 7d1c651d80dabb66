import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { SectionTitle } from './aside.tsx'
import { Cards } from './cards.tsx'

/** The favourites of all teams, which remain in their teams too. Hidden without any. */
export function Favourites(props: ComponentProps<typeof Cards>) {
  if (props.workspaces.length === 0) return null
  return (
    <section aria-label={t`Favourites`}>
      <SectionTitle>{t`Favourites`}</SectionTitle>
      <Cards {...props} />
    </section>
  )
}
