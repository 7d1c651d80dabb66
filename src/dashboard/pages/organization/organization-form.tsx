import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { TextForm } from '../../ui/fields/text-form.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import type { OrganizationInfo } from './organization-info.ts'

const FIELDS = [
  { key: 'name', label: msg`Name` },
  { key: 'description', label: msg`Description`, multiline: true, maxLength: 5000 },
  { key: 'location', label: msg`Location` },
  { key: 'url', label: msg`Website`, type: 'url', maxLength: 2000 },
  { key: 'billing_email', label: msg`Billing e-mail`, type: 'email', maxLength: 254 },
] as const

export function OrganizationForm({ organization }: { organization: OrganizationInfo }) {
  const toasts = useToasts()
  const save = useAction(api.organization.update, { onDone: () => toasts.done(t`The information is saved`) })
  return (
    <TextForm
      fields={FIELDS.map(({ label, ...field }) => ({ ...field, label: i18n._(label) }))}
      values={organization}
      pending={save.isPending}
      error={save.error ? messageOf(save.error) : undefined}
      onSave={(body, onSuccess) => save.mutate({ body }, { onSuccess })}
    />
  )
}
