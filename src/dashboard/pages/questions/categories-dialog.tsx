import { t } from '@lingui/core/macro'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { useWorkspaceId } from '../../shared/workspace.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import type { Settings } from './questions.ts'
import { type Routing, RouteFields, routingIn } from './route-fields.tsx'

interface CategoriesDialogProps {
  settings: Settings
  onClose: () => void
}

/** The categories, and who answers the questions of each. */
export function CategoriesDialog({ settings, onClose }: CategoriesDialogProps) {
  const workspace_id = useWorkspaceId()
  const stored = settings.categories.join('\n')
  const [text, setText] = useState(stored)
  const [routing, setRouting] = useState<Routing>(() => routingIn(settings))
  const [isRouted, setRouted] = useState(false)
  const update = useAction(api.questions.updateSettings, { onDone: onClose })
  const categories = categoriesIn(text)
  const write = (next: string) => {
    setRouting((before) => withNames(before, text, next))
    setText(next)
  }
  const submit = () => {
    const routes = categories.flatMap((category) => routing.get(category) ?? [])
    update.mutate({
      params: { workspace_id },
      body: { categories, ...(isRouted || routes.length > 0 ? { routes } : {}) },
    })
  }
  return (
    <FormDialog
      open
      title={t`Categories of questions`}
      submit={t`Save categories`}
      pending={update.isPending}
      unsaved={text !== stored || isRouted}
      error={update.error ? messageOf(update.error) : undefined}
      maxWidth="md"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t`Categories, one in each line`}
        multiline
        minRows={4}
        maxRows={8}
        autoFocus
        value={text}
        onChange={(event) => write(event.target.value)}
      />
      <RouteFields
        {...{ categories, routing }}
        admins={settings.admins}
        onChange={(route) => {
          setRouted(true)
          setRouting((before) => new Map(before).set(route.category, route))
        }}
      />
    </FormDialog>
  )
}

const linesOf = (text: string) => text.split('\n').map((each) => each.trim())
const categoriesIn = (text: string) => [...new Set(linesOf(text).filter((each) => each !== ''))]

/** A category that is typed anew in its line keeps its route. */
function withNames(routing: Routing, before: string, after: string): Routing {
  const [old, lines] = [linesOf(before), linesOf(after)]
  if (old.length !== lines.length) return routing
  const next = new Map(routing)
  for (const [at, category] of lines.entries()) {
    const former = old[at] ?? ''
    const route = routing.get(former)
    if (former === category || !route || lines.includes(former)) continue
    next.delete(former)
    next.set(category, { ...route, category })
  }
  return next
}
