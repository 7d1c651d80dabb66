import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { QUESTION_PRIORITIES } from '../../../contract/endpoints/deal/questions.ts'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useAction, useReading } from '../../api/query.ts'
import { useWorkspaceId } from '../workspace.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Choice } from '../../ui/fields/choice.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { PRIORITIES } from './priorities.ts'

type Settings = Reply<typeof api.questions.getSettings>

interface AskDialogProps {
  settings: Settings
  /** The file that the question is on, and the page of it that the asker reads. */
  on?: { fileId: number; page?: number } | undefined
  onClose: () => void
}

const NOTHING = { subject: '', text: '', priority: 'normal', category: '', group: '', page: '' }

export function AskDialog({ settings, on, onClose }: AskDialogProps) {
  const workspace_id = useWorkspaceId()
  const toasts = useToasts()
  const [asked, setAsked] = useState({
    ...NOTHING,
    group: String(settings.groups[0]?.group_id ?? ''),
    page: String(on?.page ?? ''),
  })
  const ask = useAction(api.questions.ask, {
    onDone: () => {
      toasts.done(t`Your question was asked.`)
      onClose()
    },
  })
  const set = (name: keyof typeof NOTHING) => (value: string) => setAsked((before) => ({ ...before, [name]: value }))
  const submit = () => {
    const { subject, text, category, group, page } = asked
    const priority = QUESTION_PRIORITIES.find((each) => each === asked.priority) ?? 'normal'
    const place = on && { file_id: on.fileId, ...(page && { page_number: Number(page) }) }
    const question = { subject, text, priority, group_id: Number(group), ...(category && { category }), ...place }
    ask.mutate({ params: { workspace_id }, body: { question } })
  }
  return (
    <FormDialog
      open
      title={t`Ask a question`}
      submit={t`Ask`}
      maxWidth="sm"
      pending={ask.isPending}
      disabled={asked.subject.trim() === ''}
      unsaved={asked.subject !== '' || asked.text !== ''}
      error={ask.error ? messageOf(ask.error) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      {on && <OnFile fileId={on.fileId} />}
      {on?.page !== undefined && <OnPage page={on.page} value={asked.page} onChange={set('page')} />}
      <TextField
        label={t`Subject`}
        value={asked.subject}
        autoFocus
        onChange={(event) => set('subject')(event.target.value)}
      />
      <TextField
        label={t`Question`}
        multiline
        minRows={4}
        maxRows={12}
        value={asked.text}
        onChange={(event) => set('text')(event.target.value)}
      />
      <Choice
        label={t`Priority`}
        value={asked.priority}
        options={QUESTION_PRIORITIES.map((each) => [each, i18n._(PRIORITIES[each].label)])}
        onChange={set('priority')}
      />
      {settings.categories.length > 0 && (
        <Choice
          label={t`Category`}
          none={t`None`}
          value={asked.category}
          options={settings.categories.map((each) => [each, each])}
          onChange={set('category')}
        />
      )}
      {settings.groups.length > 1 && (
        <Choice
          label={t`For the group`}
          value={asked.group}
          options={settings.groups.map(({ group_id, name }) => [String(group_id), name])}
          onChange={set('group')}
        />
      )}
      <Rest settings={settings} groupId={Number(asked.group)} />
    </FormDialog>
  )
}

function OnFile({ fileId }: { fileId: number }) {
  const workspace_id = useWorkspaceId()
  const { data } = useReading(read(api.files.get, { params: { id: fileId }, query: { workspace_id } }))
  return <Typography color="textSecondary">{t`On ${data?.title ?? '…'}`}</Typography>
}

interface OnPageProps {
  page: number
  value: string
  onChange: (page: string) => void
}

function OnPage({ page, value, onChange }: OnPageProps) {
  return (
    <Choice
      label={t`About`}
      none={t`The whole document`}
      value={value}
      options={[[String(page), t`Page ${page}`]]}
      onChange={onChange}
    />
  )
}

/** Who reads the question, and how many more may be asked. */
function Rest({ settings, groupId }: { settings: Settings; groupId: number }) {
  const group = settings.groups.find(({ group_id }) => group_id === groupId)
  if (!group) return null
  const left = Math.max(0, group.most - group.used)
  const rest = plural(left, { one: '# more question may be asked', other: '# more questions may be asked' })
  const days = group.days
  const within = days === null ? rest : plural(days, { one: `${rest} within # day`, other: `${rest} within # days` })
  return (
    <Typography variant="caption" color="textSecondary">
      {t`${group.name} and the admins read it, with your name. ${within}.`}
    </Typography>
  )
}
