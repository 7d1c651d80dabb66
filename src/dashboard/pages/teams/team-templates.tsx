import { plural, t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { LayoutTemplate, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction, useRead } from '../../api/query.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { PartList } from '../../ui/part.tsx'
import { type TeamInfo, templatesQuery } from './team-info.ts'

type Template = Reply<typeof api.templates.list>['templates'][number]

/** The templates that members saved, with a button to delete each. */
export function TeamTemplates({ team }: { team: TeamInfo }) {
  const { templates } = useRead(templatesQuery(team.id))
  const [removed, setRemoved] = useState<Template>()
  const own = templates.filter(({ shipped }) => shipped === null)
  if (own.length === 0) {
    return (
      <Typography color="textSecondary">{t`None yet. The settings of a workspace save it as a template.`}</Typography>
    )
  }
  return (
    <>
      <PartList aria-label={t`Templates`}>
        {own.map((template) => (
          <li key={template.id}>
            <LayoutTemplate size={18} aria-hidden />
            <span className="facts">
              <span className="name">{template.name}</span>
              <Typography component="span" variant="caption" color="textSecondary">
                {factsOf(template)}
              </Typography>
            </span>
            <Tooltip title={t`Delete`}>
              <IconButton aria-label={t`Delete ${template.name}`} onClick={() => setRemoved(template)}>
                <Trash2 size={16} />
              </IconButton>
            </Tooltip>
          </li>
        ))}
      </PartList>
      {removed && <RemoveDialog team={team} template={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

function factsOf({ folders_count, groups, created_by }: Template): string {
  const folders = plural(folders_count, { one: '# folder', other: '# folders' })
  const amount = plural(groups.length, { one: '# group', other: '# groups' })
  return [folders, amount, created_by].filter(Boolean).join(' · ')
}

interface RemoveDialogProps {
  team: TeamInfo
  template: Template
  onClose: () => void
}

function RemoveDialog({ team, template, onClose }: RemoveDialogProps) {
  const remove = useAction(api.templates.remove, { onDone: onClose })
  return (
    <ConfirmDialog
      open
      title={t`Delete ${template.name}?`}
      confirm={t`Delete template`}
      pending={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
      onConfirm={() => remove.mutate({ params: { id: team.id, template_id: template.id ?? 0 } })}
      onClose={onClose}
    >
      {t`No workspace changes, also those that began with it.`}
    </ConfirmDialog>
  )
}
