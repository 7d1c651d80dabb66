import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { TextForm } from '../../ui/text-form.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import type { OrganizationInfo } from './organization-info.ts'

const FIELDS = [
  { key: 'support_number', label: 'Phone number', type: 'tel' },
  { key: 'support_email', label: 'E-mail address', type: 'email', maxLength: 254 },
  { key: 'support_website', label: 'Website', type: 'url', maxLength: 2000 },
] as const

/** Where the people of the organization find help. */
export function SupportForm({ organization }: { organization: OrganizationInfo }) {
  const toasts = useToasts()
  const save = useAction(api.organization.updateSupportInformation, {
    onDone: () => toasts.done('The support information is saved'),
  })
  return (
    <TextForm
      fields={FIELDS}
      values={organization}
      pending={save.isPending}
      error={save.error ? messageOf(save.error) : undefined}
      onSave={({ support_number, support_email, support_website }) =>
        save.mutate({ body: { phone_number: support_number, email: support_email, website: support_website } })
      }
    />
  )
}
