import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import {
  contrastIn,
  isColour,
  isReadable,
  NEEDED_CONTRAST,
  readableIn,
  type Scheme,
  shownContrast,
} from '../../../../contract/endpoints/looks/accents.ts'

interface AccentFieldProps {
  scheme: Scheme
  value: string
  inherited: string | null
  onChange: (colour: string) => void
}

/** A colour to pick or to type. One that cannot be read is refused, and the nearest that can is offered. */
export function AccentField({ scheme, value, inherited, onChange }: AccentFieldProps) {
  const label = scheme === 'light' ? t`Accent in light` : t`Accent in dark`
  const isTyped = isColour(value)
  const isPale = isTyped && !isReadable(scheme, value)
  const nearest = isPale ? readableIn(scheme, value) : ''
  return (
    <div>
      <Row>
        <input
          type="color"
          aria-label={t`Pick: ${label}`}
          value={isTyped ? value : (inherited ?? '#000000')}
          onChange={(event) => onChange(event.target.value)}
        />
        <TextField
          label={label}
          value={value}
          placeholder={inherited ?? ''}
          error={(value !== '' && !isTyped) || isPale}
          helperText={wordsOf(scheme, value)}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value.trim().toLowerCase())}
          slotProps={{ htmlInput: { maxLength: 7, spellCheck: false }, inputLabel: { shrink: true } }}
        />
      </Row>
      {isPale && (
        <Button onClick={() => onChange(nearest)}>
          <Trans>Take {nearest} instead</Trans>
        </Button>
      )}
    </div>
  )
}

function wordsOf(scheme: Scheme, value: string): string | undefined {
  if (value === '') return undefined
  if (!isColour(value)) return t`Six digits such as #7a1f3d`
  const contrast = shownContrast(contrastIn(scheme, value))
  return isReadable(scheme, value)
    ? t`Contrast ${contrast}:1`
    : t`Contrast ${contrast}:1 is too low to read; ${NEEDED_CONTRAST}:1 is needed`
}

const Row = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '40px minmax(0, 1fr)',
  alignItems: 'start',
  gap: 10,
  'input[type=color]': {
    width: 40,
    height: 36,
    padding: 3,
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: 8,
    background: theme.vars.palette.background.paper,
    cursor: 'pointer',
  },
}))
