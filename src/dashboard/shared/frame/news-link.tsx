import { t } from '@lingui/core/macro'
import { Bell } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { paths } from '../../paths.ts'
import { IconLink } from '../../ui/button.tsx'
import { pageShown } from '../../ui/states/page-shown.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

// News are counted once the first page is shown.
const NewsCount = lazy(async () => {
  await pageShown()
  return { default: (await import('../news/news-count.tsx')).NewsCount }
})

/** The bell, which opens the news. */
export function NewsLink() {
  return (
    <IconLink to={paths.news()} title={t`News`}>
      <Bell size={18} aria-hidden />
      <VisuallyHidden>{t`News`}</VisuallyHidden>
      <Suspense>
        <NewsCount />
      </Suspense>
    </IconLink>
  )
}
