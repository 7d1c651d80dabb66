import { plural } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import type { PeopleAdded } from './add-people.ts'

/** Says why people could not be added; for a single person, shows only the reason. */
export function NotAdded({ outcome: { added, refused, left } }: { outcome: PeopleAdded }) {
  const [first] = refused
  if (!first) return null
  if (added.length + refused.length + left.length === 1) return <FormError>{first.reason}</FormError>
  return (
    <FormError>
      {plural(
        { people: refused.length + left.length },
        {
          one: '# person could not be added and is still in the field.',
          other: '# people could not be added and are still in the field.',
        },
      )}
      <Reasons>
        {refused.map(({ email, reason }) => (
          <li key={email}>
            <b>{email}</b> {reason}
          </li>
        ))}
      </Reasons>
    </FormError>
  )
}

const Reasons = styled('ul')({ margin: '4px 0 0', paddingLeft: 18, overflowWrap: 'anywhere', b: { fontWeight: 600 } })
