import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { X } from 'lucide-react'
import { number } from '../../ui/format.ts'
import type { Action } from './actions.ts'

interface BulkBarProps {
  chosen: number
  /** Lines there are in the list as it is filtered. */
  listed: number
  actions: readonly Action[]
  onRun: (action: Action) => void
  onChooseAll: () => void
  onClear: () => void
}

/** What may be done with the chosen lines, while there are several. */
export function BulkBar({ chosen, listed, actions, onRun, onChooseAll, onClear }: BulkBarProps) {
  const all = chosen === listed
  return (
    <Bar role="toolbar" aria-label="Selection">
      <IconButton aria-label="Clear the selection" onClick={onClear}>
        <X size={16} />
      </IconButton>
      <Chosen role="status">
        {all && listed > 1 ? `All ${number(listed)} selected` : `${number(chosen)} selected`}
      </Chosen>
      {!all && <Button onClick={onChooseAll}>Select all {number(listed)}</Button>}
      <span style={{ flex: 1 }} />
      {actions.map((action) => (
        <Button
          key={action.id}
          color={action.danger ? 'error' : 'primary'}
          startIcon={<action.icon size={16} />}
          onClick={() => onRun(action)}
        >
          {action.label}
        </Button>
      ))}
    </Bar>
  )
}

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 4,
  margin: '0 16px 8px',
  padding: '3px 4px',
  borderRadius: 8,
  background: theme.vars.palette.selection.row,
}))

const Chosen = styled('span')({ fontWeight: 600, marginRight: 8, whiteSpace: 'nowrap' })
