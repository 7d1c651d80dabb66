import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import { useEffect } from 'react'
import { numberedName } from '../listing/entries.ts'
import { FileIcon } from '../file-icon.tsx'
import type { Hit } from './use-file-search.ts'

interface SearchHitsProps {
  id: string
  hits: readonly Hit[]
  chosen: number
  /** A message if nothing matches or the search failed. */
  status: string | undefined
  onChoose: (hit: Hit) => void
  onAll: () => void
}

/** The list below the search field. The focus stays in the field, so a mouse press must not take it. */
export function SearchHits({ id, hits, chosen, status, onChoose, onAll }: SearchHitsProps) {
  useEffect(() => {
    document.querySelector(`#${CSS.escape(`${id}-${chosen}`)}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])
  return (
    <Sheet elevation={8} onMouseDown={(event) => event.preventDefault()}>
      <div id={id} role="listbox" aria-label={t`Files found`}>
        {hits.map((hit, index) => (
          // The field handles the keys of its options (combobox pattern).
          // oxlint-disable-next-line click-events-have-key-events
          <Option
            key={hit.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => onChoose(hit)}
          >
            <FileIcon kind={hit.kind} />
            <div style={{ minWidth: 0 }}>
              <Typography noWrap>{numberedName(hit.outline, hit.title, hit.number_length)}</Typography>
              <Typography noWrap variant="caption" color="textSecondary" sx={{ display: 'block' }}>
                {hit.numbered_folder_path}
              </Typography>
            </div>
          </Option>
        ))}
      </div>
      {status && (
        <Typography role="status" color="textSecondary" sx={{ px: 2, py: 1.25 }}>
          {status}
        </Typography>
      )}
      {hits.length > 0 && (
        <All type="button" tabIndex={-1} onClick={onAll}>
          <Trans>All results</Trans> {chosen < 0 && <kbd>Enter</kbd>}
        </All>
      )}
    </Sheet>
  )
}

const Sheet = styled(Paper)(({ theme }) => ({
  position: 'absolute',
  top: 'calc(100% + 6px)',
  left: -1,
  right: -1,
  zIndex: theme.zIndex.modal,
  minWidth: 280,
  maxHeight: 'min(60vh, 480px)',
  overflow: 'auto',
  color: theme.vars.palette.text.primary,
  border: `1px solid ${theme.vars.palette.divider}`,
}))

const Option = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  padding: '6px 14px',
  cursor: 'pointer',
  '&:hover, &[aria-selected="true"]': { background: theme.vars.palette.selection.row },
}))

const All = styled('button')(({ theme }) => ({
  position: 'sticky',
  bottom: 0,
  display: 'flex',
  justifyContent: 'space-between',
  width: '100%',
  padding: '8px 14px',
  border: 0,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  background: theme.vars.palette.background.paper,
  color: theme.vars.palette.primary.main,
  font: 'inherit',
  fontSize: '0.8125rem',
  fontWeight: 600,
  cursor: 'pointer',
  '& kbd': { font: 'inherit', fontSize: 12, fontWeight: 400, color: theme.vars.palette.text.secondary },
}))
