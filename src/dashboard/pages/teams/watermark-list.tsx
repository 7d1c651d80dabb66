import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { contentOf, isDrawn, lookOf, placeName, type Watermark } from './watermark-draft.ts'

interface WatermarkListProps {
  watermarks: readonly Watermark[]
  onAdd: () => void
  onEdit: (watermark: Watermark) => void
  onRemove: (watermark: Watermark) => void
}

export function WatermarkList({ watermarks, onAdd, onEdit, onRemove }: WatermarkListProps) {
  return (
    <>
      {watermarks.length === 0 ? (
        <Typography color="textSecondary" sx={{ pb: 1.5 }}>
          <Trans>
            No placement of your own yet: the time and the reader’s name, IP address and e-mail address stand in the
            middle of every page.
          </Trans>
        </Typography>
      ) : (
        <List aria-label={t`Placements`}>
          {watermarks.map((watermark) => (
            <li key={watermark.id}>
              <Swatch aria-hidden style={{ background: watermark.color }} />
              <span className="facts">
                <span>{placeName(watermark)}</span>
                <Content text={contentOf(lookOf(watermark))} />
              </span>
              <span className="end">
                {!isDrawn(watermark, watermarks) && <NotDrawn />}
                <Buttons
                  place={placeName(watermark)}
                  onEdit={() => onEdit(watermark)}
                  onRemove={() => onRemove(watermark)}
                />
              </span>
            </li>
          ))}
        </List>
      )}
      <Button variant="outlined" startIcon={<Plus size={16} />} onClick={onAdd}>
        <Trans>Add a placement</Trans>
      </Button>
    </>
  )
}

function Content({ text }: { text: string }) {
  return (
    <Typography component="span" variant="caption" color="textSecondary" noWrap title={text}>
      {text}
    </Typography>
  )
}

interface ButtonsProps {
  place: string
  onEdit: () => void
  onRemove: () => void
}

function Buttons({ place, onEdit, onRemove }: ButtonsProps) {
  return (
    <>
      <Tooltip title={t`Edit`}>
        <IconButton aria-label={t`Edit ${place}`} onClick={onEdit}>
          <Pencil size={16} />
        </IconButton>
      </Tooltip>
      <Tooltip title={t`Delete`}>
        <IconButton aria-label={t`Delete ${place}`} onClick={onRemove}>
          <Trash2 size={16} />
        </IconButton>
      </Tooltip>
    </>
  )
}

function NotDrawn() {
  return (
    <Tooltip title={t`A newer placement stands at this height; only the newest is drawn`}>
      <Chip size="small" variant="outlined" label={t`Not drawn`} tabIndex={0} />
    </Tooltip>
  )
}

const Swatch = styled('span')(({ theme }) => ({
  flex: 'none',
  width: 14,
  height: 14,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 4,
}))

const List = styled('ul')(({ theme }) => ({
  margin: '0 0 12px',
  padding: 0,
  listStyle: 'none',
  li: {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    minHeight: 50,
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '.facts': { display: 'grid', flex: 1, minWidth: 0 },
  '.end': { display: 'flex', flex: 'none', alignItems: 'center', gap: 4 },
}))
