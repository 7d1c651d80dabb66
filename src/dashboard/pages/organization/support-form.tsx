import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { TextForm } from '../../ui/fields/text-form.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import type { OrganizationInfo } from './organization-info.ts'

const FIELDS = [
  { key: 'support_number', label: msg`Phone number`, type: 'tel' },
  { key: 'support_email', label: msg`E-mail address`, type: 'email', maxLength: 254 },
  { key: 'support_website', label: msg`Website`, type: 'url', maxLength: 2000 },
] as const

export function SupportForm({ organization }: { organization: OrganizationInfo }) {
  const toasts = useToasts()
  const save = useAction(api.organization.updateSupportInformation, {
    onDone: () => toasts.done(t`The support information is saved`),
  })
  return (
    <TextForm
      fields={FIELDS.map(({ label, ...field }) => ({ ...field, label: i18n._(label) }))}
      values={organization}
      pending={save.isPending}
      error={save.error ? messageOf(save.error) : undefined}
      onSave={({ support_number, support_email, support_website }, onSuccess) =>
        save.mutate(
          { body: { phone_number: support_number, email: support_email, website: support_website } },
          { onSuccess },
        )
      }
    />
  )
}
