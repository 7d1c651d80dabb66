import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import MenuItem from '@mui/material/MenuItem'
import { BellRing, ShieldMinus, ShieldPlus, Trash2 } from 'lucide-react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import type { User } from '../../api/session.ts'
import { nameOf } from '../../shared/people.ts'
import { RowMenu } from '../../ui/fields/row-menu.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'

interface UserMenuProps {
  user: User
  /** Asks before the role changes or the user is deleted. */
  onAsk: (about: 'role' | 'deletion') => void
}

export function UserMenu({ user, onAsk }: UserMenuProps) {
  const name = nameOf(user)
  const remind = useRemind(user)
  return (
    <RowMenu label={t`Actions for ${name}`}>
      {user.status === 'invited' && (
        <MenuItem onClick={remind}>
          <BellRing size={16} />
          <Trans>Remind</Trans>
        </MenuItem>
      )}
      <MenuItem onClick={() => onAsk('role')}>
        {user.organization_admin ? <ShieldMinus size={16} /> : <ShieldPlus size={16} />}
        {user.organization_admin ? t`Take the admin role` : t`Make organization admin`}
      </MenuItem>
      <MenuItem onClick={() => onAsk('deletion')} sx={{ color: 'error.main' }}>
        <Trash2 size={16} />
        <Trans>Delete</Trans>
      </MenuItem>
    </RowMenu>
  )
}

function useRemind({ id, email }: User) {
  const toasts = useToasts()
  const remind = useAction(api.users.remind, {
    onDone: () => toasts.done(t`The invitation is on its way to ${email}`),
  })
  return () => remind.mutate({ params: { id }, body: {} }, { onError: (error) => toasts.failed(messageOf(error)) })
}
