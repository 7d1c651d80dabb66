import { t } from '@lingui/core/macro'
import MenuItem from '@mui/material/MenuItem'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { useId } from 'react'
import { naturally } from '../../../ui/words/format.ts'
import { nameOfTemplate, type Beginning, type Template } from './beginnings.ts'
import { OptionGroup } from './option-group.tsx'

interface BeginWithProps {
  value: string
  templates: readonly Template[]
  /** Workspaces that the user administers. */
  workspaces: readonly { id: number; name: string }[]
  onChoose: (value: string) => void
}

interface Point {
  value: Beginning
  name: string
}

/** What the new workspace begins with: nothing, a template or another workspace. */
export function BeginWith({ value, templates, workspaces, onChoose }: BeginWithProps) {
  const id = useId()
  const idOfPoint = (each: Point) => `${id}${each.value}`
  const linesOf = (points: readonly Point[]) =>
    points.map((each) => (
      <Line key={each.value} id={idOfPoint(each)} value={each.value}>
        {each.name}
      </Line>
    ))
  return (
    <TextField select label={t`Begin with`} value={value} onChange={(event) => onChoose(event.target.value)}>
      {linesOf([{ value: 'empty', name: t`An empty workspace` }])}
      {groupsOf(templates, workspaces).flatMap(({ label, points }) => [
        <OptionGroup key={label} label={label} owns={points.map(idOfPoint)} />,
        ...linesOf(points),
      ])}
    </TextField>
  )
}

function groupsOf(
  templates: BeginWithProps['templates'],
  workspaces: BeginWithProps['workspaces'],
): { label: string; points: Point[] }[] {
  const shipped = templates.flatMap((each): Point[] =>
    each.shipped === null ? [] : [{ value: `shipped-${each.shipped}`, name: nameOfTemplate(each) }],
  )
  const own = templates.flatMap((each): Point[] =>
    each.shipped === null ? [{ value: `template-${each.id}`, name: each.name }] : [],
  )
  const models = workspaces
    .toSorted((a, b) => naturally(a.name, b.name))
    .map((each): Point => ({ value: `workspace-${each.id}`, name: each.name }))
  return [
    { label: t`Templates`, points: shipped },
    { label: t`Templates of the team`, points: own },
    { label: t`Like another workspace`, points: models },
  ].filter(({ points }) => points.length > 0)
}

const Line = styled(MenuItem)({ whiteSpace: 'normal', overflowWrap: 'anywhere' })
