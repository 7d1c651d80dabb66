import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import ButtonBase from '@mui/material/ButtonBase'
import Divider from '@mui/material/Divider'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { DEMO_ROLES, isDemoRole } from '../../../contract/shown-sentences.ts'
import { messageOf } from '../../api/failures.ts'
import { say } from '../../api/say.ts'
import { continueAs, type Session, type Me } from '../../api/session.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

interface DemoPeopleProps {
  people: Session['demo_people']
  onSignedIn: (user: Me) => void
}

/** Shown only if the server names demo people. Only demo people can sign in this way. */
export function DemoPeople({ people, onSignedIn }: DemoPeopleProps) {
  const enter = useMutation({ mutationFn: continueAs, onSuccess: ({ user }) => onSignedIn(user) })
  return (
    <>
      <Divider sx={{ mt: 3, mb: 2, color: 'text.secondary', fontSize: '0.75rem' }}>
        <Trans>or look around this demo as</Trans>
      </Divider>
      <Typography variant="caption" color="textSecondary" component="p" sx={{ mb: 1.5 }}>
        <Trans>
          Project Harbour is the sale of a company. They all use the same documents, and each of them sees something
          else.
        </Trans>
      </Typography>
      <List>
        {people.map(({ email, name, role, role_code }) => (
          <Person key={email} disabled={enter.isPending} onClick={() => enter.mutate(email)}>
            <span style={{ minWidth: 0, flex: 1 }}>
              <VisuallyHidden>{t`Continue as ${name}`} </VisuallyHidden>
              <Typography
                component="span"
                noWrap
                aria-hidden
                sx={{ display: 'block', fontWeight: 600, lineHeight: 1.4 }}
              >
                {name}
              </Typography>
              <Typography
                component="span"
                variant="caption"
                color="textSecondary"
                sx={{ display: 'block', lineHeight: 1.35 }}
              >
                {isDemoRole(role_code) ? say(DEMO_ROLES[role_code]) : role || email}
              </Typography>
            </span>
            <ArrowRight size={16} aria-hidden />
          </Person>
        ))}
      </List>
      {enter.error && <FormError>{messageOf(enter.error)}</FormError>}
    </>
  )
}

const List = styled('div')(({ theme }) => ({
  display: 'grid',
  marginBottom: 8,
  borderRadius: 8,
  border: `1px solid ${theme.vars.palette.divider}`,
  overflow: 'hidden',
}))

const Person = styled(ButtonBase)(({ theme }) => ({
  gap: 10,
  minHeight: 48,
  padding: '6px 14px',
  textAlign: 'left',
  font: 'inherit',
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '&:hover': { background: theme.vars.palette.selection.row },
  '&:focus-visible': { outlineOffset: -2 },
  '&:disabled': { opacity: 0.6 },
  '& > svg': { flexShrink: 0, color: theme.vars.palette.primary.main },
}))
