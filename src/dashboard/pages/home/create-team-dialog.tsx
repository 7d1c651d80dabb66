import { t } from '@lingui/core/macro'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { NameDialog } from '../../ui/dialogs/name-dialog.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'

export function CreateTeamDialog({ onClose }: { onClose: () => void }) {
  const toasts = useToasts()
  const create = useAction(api.teams.create, {
    onDone: ({ name }) => {
      toasts.done(t`Team “${name}” is created, and you own it`)
      onClose()
    },
  })
  return (
    <NameDialog
      title={t`New team`}
      submit={t`Create team`}
      intro={t`A team holds workspaces and the people who may create them.`}
      pending={create.isPending}
      error={create.error ? messageOf(create.error) : undefined}
      onSubmit={(name) => create.mutate({ body: { team: { name, suppress_emails: false } } })}
      onClose={onClose}
    />
  )
}
