import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { LogOut } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { prefetch } from '../../api/query.ts'
import { useMe } from '../../shared/session.ts'
import { notificationsQuery } from '../../shared/weekly-report.ts'
import { useSignOut } from '../../shared/use-sign-out.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Part, PartColumns, Parts } from '../../ui/part.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { ApiKeys, apiKeysQuery } from './api-keys.tsx'
import { ColourScheme } from './colour-scheme.tsx'
import { Devices, sessionsQuery } from './devices.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { PendingEmail } from './pending-email.tsx'
import { ProfileForm } from './profile-form.tsx'

const NotificationSettings = lazy(async () => ({
  default: (await import('./notifications/notification-settings.tsx')).NotificationSettings,
}))

export const loader = () => prefetch(sessionsQuery(), apiKeysQuery(), notificationsQuery())

export function AccountPage() {
  const me = useMe()
  const signOut = useSignOut()
  return (
    <>
      <PageHeader title={t`Account`} text={me.email}>
        <Button variant="outlined" startIcon={<LogOut size={16} />} onClick={signOut}>
          <Trans>Sign out</Trans>
        </Button>
      </PageHeader>
      <Columns>
        <Parts>
          <Part title={t`Profile`}>
            <PendingEmail me={me} />
            <ProfileForm me={me} />
          </Part>
          <Part title={t`Colours`}>
            <ColourScheme />
          </Part>
          <Part title={t`Language`}>
            <LanguageChoice />
          </Part>
        </Parts>
        {/* At once, because each list is as long as it is and pushes those below it. */}
        <Suspense fallback={<ListsToCome />}>
          <Parts>
            <NotificationSettings />
          </Parts>
          <Parts>
            <Devices />
            <ApiKeys />
          </Parts>
        </Suspense>
      </Columns>
    </>
  )
}

const ListsToCome = () => (
  <>
    <SkeletonRows rows={3} height={48} columns="minmax(0, 1fr) 190px" />
    <SkeletonRows rows={5} height={56} columns="minmax(0, 1fr) 90px" />
  </>
)

/** The first two parts are in the first column. */
const Columns = styled(PartColumns)(({ theme }) => ({
  [theme.breakpoints.up('md')]: {
    gridTemplateRows: 'auto 1fr',
    '& > :nth-of-type(2)': { gridColumn: 1 },
    '& > :nth-of-type(3)': { gridColumn: 2, gridRow: '1 / span 2' },
  },
}))

export { AccountPage as Component }
