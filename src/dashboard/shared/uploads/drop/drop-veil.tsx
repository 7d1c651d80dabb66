import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Ban, Upload } from 'lucide-react'

/** Says over the page where dragged files would go, or that they may not. */
export function DropVeil({ mayUpload, name }: { mayUpload: boolean; name: string }) {
  return (
    <Veil className={mayUpload ? '' : 'refused'}>
      <Hint>
        {mayUpload ? <Upload size={20} aria-hidden /> : <Ban size={20} aria-hidden />}
        {mayUpload ? t`Drop to upload to ${name}` : t`You may not upload to ${name}`}
      </Hint>
    </Veil>
  )
}

const Veil = styled('div')(({ theme }) => ({
  position: 'absolute',
  inset: 8,
  zIndex: 2,
  display: 'grid',
  placeContent: 'end center',
  paddingBottom: 32,
  borderRadius: 12,
  border: `2px dashed ${theme.vars.palette.primary.main}`,
  background: `color-mix(in srgb, ${theme.vars.palette.primary.main} 12%, transparent)`,
  pointerEvents: 'none',
  '&.refused': { borderColor: theme.vars.palette.text.secondary, background: 'none' },
  '&.refused > div': { background: theme.vars.palette.text.secondary, color: theme.vars.palette.background.paper },
}))

const Hint = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  padding: '10px 18px',
  borderRadius: 10,
  boxShadow: theme.vars.shadows[6],
  background: theme.vars.palette.primary.main,
  color: theme.vars.palette.primary.contrastText,
  fontSize: 14,
  fontWeight: 600,
}))
