import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { sessionQuery, type User } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { nameOf } from '../../shared/people.ts'
import { useMe } from '../../shared/session.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'

interface AdminDialogProps {
  user: User
  onClose: () => void
}

/** Gives a user the role of an organization admin, or takes it. */
export function AdminDialog({ user, onClose }: AdminDialogProps) {
  return user.organization_admin ? (
    <TakeRole user={user} onClose={onClose} />
  ) : (
    <GiveRole user={user} onClose={onClose} />
  )
}

function GiveRole({ user, onClose }: AdminDialogProps) {
  const name = nameOf(user)
  const toasts = useToasts()
  const add = useAction(api.organization.addAdmin, {
    onDone: () => {
      toasts.done(t`${name} is now an organization admin`)
      onClose()
    },
  })
  return (
    <FormDialog
      open
      title={t`Make ${name} an organization admin?`}
      submit={t`Make admin`}
      pending={add.isPending}
      error={add.error ? messageOf(add.error) : undefined}
      onSubmit={() => add.mutate({ body: { user_id: user.id } })}
      onClose={onClose}
    >
      <Trans>
        Organization admins create and delete users, create teams and name other admins. The role opens no workspace.
      </Trans>
    </FormDialog>
  )
}

function TakeRole({ user, onClose }: AdminDialogProps) {
  const name = nameOf(user)
  const client = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const isMe = useMe().id === user.id
  const remove = useAction(api.organization.removeAdmin, {
    onDone: async () => {
      onClose()
      if (!isMe) return
      // The session says who is an admin, and this page is for admins only.
      await navigate(paths.home(), { replace: true })
      await client.invalidateQueries(sessionQuery)
      toasts.done(t`You are no longer an organization admin`)
    },
  })
  return (
    <ConfirmDialog
      open
      title={isMe ? t`Give up the admin role?` : t`Take the admin role from ${name}?`}
      confirm={isMe ? t`Give up` : t`Take the role`}
      pending={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
      onConfirm={() => remove.mutate({ query: { user_id: user.id } })}
      onClose={onClose}
    >
      {isMe
        ? t`You will no longer see this page. Your teams and workspaces stay as they are.`
        : t`${name} will no longer administer the organization. Teams and workspaces stay as they are.`}
    </ConfirmDialog>
  )
}
