import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { ArchiveRestore, X } from 'lucide-react'
import { doingWords } from '../../shared/listing/bulk-words.ts'
import { chosenWords } from '../../shared/listing/chosen-words.ts'
import type { useRestore } from './use-restore.ts'

interface TrashBarProps {
  chosen: number
  /** Number of lines that the filter leaves, on all pages. */
  listed: number
  restoring: ReturnType<typeof useRestore>
  onRestore: () => void
  onChooseAll: () => void
  onClear: () => void
}

/** The actions for the chosen lines. The bar covers the column heads, so that no line moves. */
export function TrashBar({ chosen, listed, restoring, onRestore, onChooseAll, onClear }: TrashBarProps) {
  const { running, items, finished } = restoring
  const isBusy = running && items.length > 1
  const status = isBusy
    ? doingWords('restore', Math.min(finished + 1, items.length), items.length)
    : chosenWords(chosen)
  return (
    <Bar role="toolbar" aria-label={t`Selection`}>
      <IconButton aria-label={t`Clear the selection`} onClick={onClear} sx={{ p: 0.5 }}>
        <X size={16} />
      </IconButton>
      <span role="status" className="chosen">
        {status}
      </span>
      {chosen < listed && (
        <Button onClick={onChooseAll} disabled={running}>
          {plural(listed, { one: 'Select all #', other: 'Select all #' })}
        </Button>
      )}
      <span style={{ flex: 1 }} />
      <Button startIcon={<ArchiveRestore size={15} />} loading={running} loadingPosition="start" onClick={onRestore}>
        <Trans>Restore</Trans>
      </Button>
    </Bar>
  )
}

const Bar = styled('div')(({ theme }) => ({
  position: 'sticky',
  top: 0,
  left: 0,
  zIndex: 2,
  display: 'flex',
  alignItems: 'center',
  gap: 2,
  height: BAR_HEIGHT,
  marginBottom: -BAR_HEIGHT,
  padding: '0 8px 0 10px',
  borderRadius: '8px 8px 0 0',
  background: theme.vars.palette.selection.item,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '.chosen': { fontWeight: 600, margin: '0 8px 0 6px', whiteSpace: 'nowrap' },
  '.MuiButton-root': { minHeight: 26, padding: '2px 8px' },
  '.MuiButtonBase-root:focus-visible': { outlineOffset: -2 },
}))

/** Height of the table head, in pixels. */
export const BAR_HEIGHT = 38
