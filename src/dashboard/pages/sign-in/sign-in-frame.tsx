import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { CardPage } from '../../ui/card-page.tsx'
import { LanguageLinks } from '../../ui/words/language-links.tsx'

export function SignInFrame({ children }: { children: ReactNode }) {
  return (
    <CardPage title={t`Sign in`} foot={<LanguageLinks />}>
      {children}
    </CardPage>
  )
}
