import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { X } from 'lucide-react'
import { Button, IconButton } from '../../../ui/button.tsx'
import type { Action } from '../actions.ts'
import { chosenWords } from '../../../shared/listing/chosen-words.ts'
import { HEAD_HEIGHT } from '../../../shared/listing/list-surface.tsx'

interface BulkBarProps {
  chosen: number
  /** Number of lines that the filter leaves in the list. */
  listed: number
  filtered: boolean
  actions: readonly Action[]
  /** Puts the bar at the bottom, with icons instead of words. */
  touch: boolean
  onRun: (action: Action) => void
  onChooseAll: () => void
  onClear: () => void
}

/** The actions for the chosen lines. The bar overlays the list, so that no line moves. */
export function BulkBar(props: BulkBarProps) {
  const { chosen, listed, touch, actions, onRun } = props
  const all = chosen === listed
  return (
    <Bar role="toolbar" aria-label={t`Selection`} className={touch ? 'touch' : ''}>
      <IconButton aria-label={t`Clear the selection`} onClick={props.onClear} className="clear">
        <X size={16} />
      </IconButton>
      <Chosen role="status">{all && listed > 1 ? allWords(listed, props.filtered) : chosenWords(chosen)}</Chosen>
      {!all && (
        <Button onClick={props.onChooseAll}>{plural(listed, { one: 'Select all #', other: 'Select all #' })}</Button>
      )}
      <span style={{ flex: 1 }} />
      {actions.map((action) => {
        const { id, icon: Icon, danger } = action
        const label = i18n._(action.label)
        const colour = danger ? 'danger' : ''
        if (touch) {
          return (
            <IconButton key={id} aria-label={label} onClick={() => onRun(action)} className={`act ${colour}`}>
              <Icon size={20} />
            </IconButton>
          )
        }
        return (
          <Button key={id} className={colour} startIcon={<Icon size={15} />} onClick={() => onRun(action)}>
            {label}
          </Button>
        )
      })}
    </Bar>
  )
}

const allWords = (listed: number, filtered: boolean) =>
  filtered
    ? plural(listed, { one: 'All # that match selected', other: 'All # that match selected' })
    : plural(listed, { one: 'All # selected', other: 'All # selected' })

const Bar = styled('div')(({ theme }) => ({
  position: 'absolute',
  inset: '0 0 auto 0',
  zIndex: 2,
  display: 'flex',
  alignItems: 'center',
  gap: 2,
  height: HEAD_HEIGHT,
  boxSizing: 'border-box',
  padding: '0 8px 0 10px',
  overflow: 'hidden',
  background: theme.vars.palette.selection.item,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '.text': { minHeight: 26, padding: '2px 8px' },
  '.clear': { padding: 4 },
  '.act': { padding: 10, color: theme.vars.palette.primary.main },
  '.danger': { color: theme.vars.palette.error.main },
  'button:focus-visible': { outlineOffset: -2 },
  '&.touch': { inset: 'auto 0 0 0', height: 52, borderTop: `1px solid ${theme.vars.palette.divider}` },
}))

const Chosen = styled('span')({ fontWeight: 600, margin: '0 8px 0 6px', whiteSpace: 'nowrap' })
