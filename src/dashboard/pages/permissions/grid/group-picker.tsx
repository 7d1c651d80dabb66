import { plural, t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { Check, ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { MAX_SHEET_GROUPS } from '../../../../contract/endpoints/permissions.ts'
import { isAdminGroup } from '../../../../contract/rules.ts'
import { DraftChip } from '../../../shared/listing/draft-chip.tsx'
import type { GroupInfo } from './grid-groups.ts'

interface GroupPickerProps {
  /** In the order of the columns. */
  all: readonly GroupInfo[]
  chosen: readonly GroupInfo[]
  onChoose: (groupIds: number[]) => void
}

/** Chooses the groups that are shown side by side, once its menu is closed. At least one stays. */
export function GroupPicker({ all, chosen, onChoose }: GroupPickerProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const id = useId()
  const shown = chosen.map((group) => group.id)
  const [ids, setIds] = useState(shown)
  const toggle = (groupId: number) => {
    const next = ids.includes(groupId) ? ids.filter((each) => each !== groupId) : [...ids, groupId]
    if (next.length > 0) setIds(next)
  }
  const close = () => {
    setAnchor(null)
    if (ids.length !== shown.length || ids.some((each) => !shown.includes(each))) onChoose(ids)
  }
  const label = labelOf(all, chosen)
  return (
    <>
      <Button
        variant="outlined"
        aria-label={t`Groups: ${label}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-controls={anchor ? id : undefined}
        endIcon={<ChevronDown size={16} />}
        onClick={(event) => {
          setIds(shown)
          setAnchor(event.currentTarget)
        }}
        sx={{ maxWidth: 220, '& .MuiButton-endIcon': { ml: 0.5 } }}
      >
        <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{label}</span>
      </Button>
      <Menu id={id} anchorEl={anchor} open={anchor !== null} onClose={close}>
        {sectionsOf(all).flatMap(([title, members]) => [
          <ListSubheader key={title} sx={{ lineHeight: '28px', fontSize: '0.75rem' }}>
            {title}
          </ListSubheader>,
          ...members.map((group) => (
            <MenuItem
              key={group.id}
              role="menuitemcheckbox"
              aria-checked={ids.includes(group.id)}
              disabled={!ids.includes(group.id) && ids.length >= MAX_SHEET_GROUPS}
              onClick={() => toggle(group.id)}
            >
              <ListItemIcon>{ids.includes(group.id) && <Check size={17} />}</ListItemIcon>
              {group.name}
              {group.is_draft && (
                <DraftChip style={{ marginLeft: 8 }}>{t({ message: 'Draft', context: 'group' })}</DraftChip>
              )}
            </MenuItem>
          )),
        ])}
      </Menu>
    </>
  )
}

/** "All 4 groups", "3 of 6 groups"; the name of a single group. */
function labelOf(all: readonly GroupInfo[], chosen: readonly GroupInfo[]): string {
  const [only] = chosen
  if (only && chosen.length === 1) return only.name
  const limited = all.filter((group) => !isAdminGroup(group)).length
  const shown = chosen.filter((group) => !isAdminGroup(group)).length
  if (shown === limited && shown === chosen.length) return plural(shown, { one: 'All # group', other: 'All # groups' })
  const [count, total] = [chosen.length, shown === chosen.length ? limited : all.length]
  return t`${count} of ${plural(total, { one: '# group', other: '# groups' })}`
}

function sectionsOf(groups: readonly GroupInfo[]): [string, GroupInfo[]][] {
  const sections: [string, GroupInfo[]][] = [
    [t`Your groups`, groups.filter(({ kind }) => kind === 'custom')],
    [t`Built in`, groups.filter(({ kind }) => kind !== 'custom')],
  ]
  return sections.filter(([, members]) => members.length > 0)
}
