import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { CardPage } from '../../ui/card-page.tsx'

export function SignInFrame({ children }: { children: ReactNode }) {
  return <CardPage title={t`Sign in`}>{children}</CardPage>
}
