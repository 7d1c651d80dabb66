import { t } from '@lingui/core/macro'
import ListSubheader from '@mui/material/ListSubheader'
import MenuItem from '@mui/material/MenuItem'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { naturally } from '../../../ui/words/format.ts'
import { nameOfTemplate, type Beginning, type Template } from './beginnings.ts'

interface BeginWithProps {
  value: string
  templates: readonly Template[]
  /** Workspaces that the user administers. */
  workspaces: readonly { id: number; name: string }[]
  onChoose: (value: string) => void
}

/** What the new workspace begins with: nothing, a template or another workspace. */
export function BeginWith({ value, templates, workspaces, onChoose }: BeginWithProps) {
  const shipped = templates.filter((each) => each.shipped !== null)
  const own = templates.filter((each) => each.shipped === null)
  const models = workspaces.toSorted((a, b) => naturally(a.name, b.name))
  const points = (all: readonly { value: Beginning; name: string }[]) =>
    all.map((each) => (
      <Point key={each.value} value={each.value}>
        {each.name}
      </Point>
    ))
  return (
    <TextField select label={t`Begin with`} value={value} onChange={(event) => onChoose(event.target.value)}>
      {points([{ value: 'empty', name: t`An empty workspace` }])}
      <ListSubheader>{t`Templates`}</ListSubheader>
      {points(shipped.map((each) => ({ value: `shipped-${each.shipped}`, name: nameOfTemplate(each) })))}
      {own.length > 0 && <ListSubheader>{t`Templates of the team`}</ListSubheader>}
      {points(own.map((each) => ({ value: `template-${each.id}`, name: each.name })))}
      {models.length > 0 && <ListSubheader>{t`Like another workspace`}</ListSubheader>}
      {points(models.map(({ id, name }) => ({ value: `workspace-${id}`, name })))}
    </TextField>
  )
}

const Point = styled(MenuItem)({ whiteSpace: 'normal', overflowWrap: 'anywhere' })
