import { t } from '@lingui/core/macro'
import Paper from '@mui/material/Paper'
import { redirect, useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { queryClient } from '../../api/query-client.ts'
import { useRead } from '../../api/query.ts'
import { sessionQuery } from '../../api/session.ts'
import { insideOnly, paths } from '../../paths.ts'
import { BrandPage } from '../../ui/card-page.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { LanguageLinks } from '../../ui/words/language-links.tsx'
import { ProfileStep } from './invitation/profile-step.tsx'
import { useEnter } from './use-enter.ts'

const wantedIn = (search: URLSearchParams) => insideOnly(search.get('to'))

export async function loader({ request }: LoaderFunctionArgs) {
  const { user } = await queryClient.ensureQueryData(sessionQuery)
  const { pathname, search, searchParams } = new URL(request.url)
  if (!user) return redirect(paths.signIn(pathname + search))
  return user.profile_due ? null : redirect(wantedIn(searchParams))
}

/** Where a first visit begins that does not come through the link of an invitation. */
export function AboutYouPage() {
  useTitle(t`About you`)
  const { user } = useRead(sessionQuery)
  const enter = useEnter(wantedIn(useSearchParams()[0]))
  return (
    <BrandPage>
      <Paper variant="outlined" sx={{ width: '100%', maxWidth: 560, p: { xs: 2.5, sm: 4 }, borderRadius: 1.5 }}>
        {user && <ProfileStep me={user} onDone={enter} />}
      </Paper>
      <LanguageLinks />
    </BrandPage>
  )
}

export { AboutYouPage as Component }
