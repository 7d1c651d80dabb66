import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { isColour, OWN_ACCENTS, type Scheme, SURFACES, textOn } from '../../../../contract/endpoints/looks/accents.ts'

const TEXT: Record<Scheme, string> = { light: '#101a1c', dark: '#edf2f3' }

interface LookPreviewProps {
  scheme: Scheme
  accent: string | null
  name: string
}

/** A button and a link as the room would show them in a scheme, whichever the page is in. */
export function LookPreview({ scheme, accent, name }: LookPreviewProps) {
  const colour = accent !== null && isColour(accent) ? accent : OWN_ACCENTS[scheme]
  const [background = ''] = SURFACES[scheme]
  return (
    <Sample
      role="img"
      aria-label={scheme === 'light' ? t`Preview in light` : t`Preview in dark`}
      style={{ background, color: TEXT[scheme] }}
    >
      <b>{name || t`Name of the room`}</b>
      <span style={{ background: colour, color: textOn(colour) }}>{t`Open files`}</span>
      <i style={{ color: colour }}>{t`A link`}</i>
    </Sample>
  )
}

const Sample = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 12,
  padding: 14,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  overflowWrap: 'anywhere',
  b: { flexBasis: '100%' },
  span: { padding: '4px 12px', borderRadius: 8, fontWeight: 600 },
  i: { fontStyle: 'normal', textDecoration: 'underline' },
}))
