import { t } from '@lingui/core/macro'
import { Bell } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { paths } from '../../paths.ts'
import { IconLink } from '../../ui/button.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

/** Milliseconds after which news are counted, so that the first page is shown before. */
const COUNTED_AFTER = 1000
const NewsCount = lazy(async () => {
  await new Promise((resolve) => setTimeout(resolve, COUNTED_AFTER))
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
