import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { ChevronDown, Plus } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { COMPARE_LIMIT, type GroupInfo } from './grid-groups.ts'

interface GroupPickerProps {
  all: readonly GroupInfo[]
  chosen: readonly GroupInfo[]
  onChoose: (groupIds: number[]) => void
}

/** Chooses one group to work on, or several side by side. */
export function GroupPicker({ all, chosen, onChoose }: GroupPickerProps) {
  const ids = chosen.map(({ id }) => id)
  const others = all.filter(({ id }) => !ids.includes(id))
  const [only] = chosen
  const name = only?.name ?? ''
  return (
    <>
      {chosen.length === 1 && only ? (
        <GroupMenu label={t`Group: ${name}`} groups={all} current={only.id} onPick={(id) => onChoose([id])}>
          {only.name}
        </GroupMenu>
      ) : (
        chosen.map(({ id, name }) => (
          <Chip
            key={id}
            variant="outlined"
            label={name}
            onDelete={() => onChoose(ids.filter((other) => other !== id))}
          />
        ))
      )}
      {others.length > 0 && chosen.length < COMPARE_LIMIT && (
        <GroupMenu label={t`Compare with another group`} groups={others} plus onPick={(id) => onChoose([...ids, id])}>
          <Trans>Compare</Trans>
        </GroupMenu>
      )}
    </>
  )
}

interface GroupMenuProps {
  label: string
  groups: readonly GroupInfo[]
  current?: number
  plus?: boolean
  onPick: (groupId: number) => void
  children: ReactNode
}

function GroupMenu({ label, groups, current, plus = false, onPick, children }: GroupMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const id = useId()
  const pick = (groupId: number) => {
    setAnchor(null)
    onPick(groupId)
  }
  return (
    <>
      <Button
        variant={plus ? 'text' : 'outlined'}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-controls={anchor ? id : undefined}
        startIcon={plus && <Plus size={16} />}
        endIcon={!plus && <ChevronDown size={16} />}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ maxWidth: 220, '& .MuiButton-endIcon': { ml: 0.5 } }}
      >
        <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{children}</span>
      </Button>
      <Menu id={id} anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {sectionsOf(groups).flatMap(([title, members]) => [
          <ListSubheader key={title} sx={{ lineHeight: '28px', fontSize: '0.75rem' }}>
            {title}
          </ListSubheader>,
          ...members.map((group) => (
            <MenuItem key={group.id} selected={group.id === current} onClick={() => pick(group.id)}>
              {group.name}
            </MenuItem>
          )),
        ])}
      </Menu>
    </>
  )
}

function sectionsOf(groups: readonly GroupInfo[]): [string, GroupInfo[]][] {
  const sections: [string, GroupInfo[]][] = [
    [t`Your groups`, groups.filter(({ kind }) => kind === 'custom')],
    [t`Built in`, groups.filter(({ kind }) => kind !== 'custom')],
  ]
  return sections.filter(([, members]) => members.length > 0)
}
