import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import { styled } from '@mui/material/styles'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../api/failures.ts'
import { continueAs, type Session, type User } from '../../api/session.ts'
import { FormError } from '../../ui/form-error.tsx'

interface DemoPeopleProps {
  people: Session['demo_people']
  onSignedIn: (user: User) => void
}

/** Only where the server names demo people; it signs nobody else in this way. */
export function DemoPeople({ people, onSignedIn }: DemoPeopleProps) {
  const enter = useMutation({ mutationFn: continueAs, onSuccess: ({ user }) => onSignedIn(user) })
  return (
    <>
      <Divider sx={{ my: 2.5 }}>or, in this demo</Divider>
      <List>
        {people.map(({ email, name }) => (
          <Button
            key={email}
            variant="outlined"
            size="medium"
            loading={enter.isPending && enter.variables === email}
            disabled={enter.isPending}
            onClick={() => enter.mutate(email)}
          >
            Continue as {name}
          </Button>
        ))}
      </List>
      {enter.error && <FormError>{messageOf(enter.error)}</FormError>}
    </>
  )
}

const List = styled('div')({ display: 'grid', gap: 8 })
