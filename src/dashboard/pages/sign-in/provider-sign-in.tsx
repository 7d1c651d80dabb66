import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import { LogIn } from 'lucide-react'
import { useSearchParams } from 'react-router-dom'
import { ButtonAnchor } from '../../ui/button.tsx'
import { insideOnly, paths } from '../../paths.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'

/** Messages for a sign-in that the proxy sent back here. An unknown user and a refused user get the same message. */
const OUTCOMES = new Map([
  [
    'refused',
    (name: string) =>
      t`You could not be signed in with ${name}. It lets in whoever was invited here with the same e-mail address: ask whoever invited you, or sign in with a code.`,
  ],
  ['failed', (name: string) => t`Signing in with ${name} did not work. Try again, or sign in with a code.`],
])

/** Signs in with the company's identity provider. A link, because it leads to an external page. */
export function ProviderSignIn({ name }: { name: string }) {
  const [search] = useSearchParams()
  const outcome = OUTCOMES.get(search.get('oidc') ?? '')
  return (
    <Box sx={{ display: 'grid', gap: 2, mt: 2 }}>
      {outcome && <FormError>{outcome(name)}</FormError>}
      <ButtonAnchor
        href={paths.identityProvider(insideOnly(search.get('to')))}
        startIcon={<LogIn size={16} aria-hidden />}
      >
        <Trans>Continue with {name}</Trans>
      </ButtonAnchor>
      <Divider sx={{ mt: 0.5, color: 'text.secondary', fontSize: '0.75rem' }}>
        <Trans>or with a code by e-mail</Trans>
      </Divider>
    </Box>
  )
}
