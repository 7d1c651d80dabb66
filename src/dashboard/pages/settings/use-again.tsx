import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Copy, LayoutTemplate } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { NameDialog } from '../../ui/dialogs/name-dialog.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'

/** Saves the workspace as a template of its team, or begins another one like it. */
export function UseAgain({ workspace }: { workspace: { id: number; name: string } }) {
  const [saving, setSaving] = useState(false)
  return (
    <Grid>
      <Typography color="textSecondary">
        <Trans>
          Folders, groups with their rights and protection, the numbering, the settings for reading times and the texts
          of the welcome page can be used again, and in a workspace like this one also the files. People and the
          contact, former versions, drafts, dates, terms, questions and API access are not taken over.
        </Trans>
      </Typography>
      <Row>
        <Button variant="outlined" startIcon={<LayoutTemplate size={16} />} onClick={() => setSaving(true)}>
          <Trans>Save as template</Trans>
        </Button>
        <ButtonLink to={paths.newLike(workspace.id)} startIcon={<Copy size={16} />}>
          <Trans>New workspace like this one</Trans>
        </ButtonLink>
      </Row>
      {saving && <SaveTemplateDialog workspace={workspace} onClose={() => setSaving(false)} />}
    </Grid>
  )
}

function SaveTemplateDialog({ workspace, onClose }: { workspace: { id: number; name: string }; onClose: () => void }) {
  const toasts = useToasts()
  const save = useAction(api.templates.create, {
    onDone: ({ name }) => {
      toasts.done(t`Saved as the template ${name}`)
      onClose()
    },
  })
  return (
    <NameDialog
      title={t`Save as template`}
      submit={t`Save template`}
      intro={t`Every member of the team can begin a workspace with it, and sees the names of the folders and groups.`}
      pending={save.isPending}
      error={save.error ? messageOf(save.error) : undefined}
      onSubmit={(name) => save.mutate({ params: { id: workspace.id }, body: { template: { name } } })}
      onClose={onClose}
    />
  )
}

const Grid = styled('div')({ display: 'grid', gap: 12 })
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: 8 })
