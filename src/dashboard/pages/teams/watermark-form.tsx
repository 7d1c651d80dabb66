import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { RotateCcw } from 'lucide-react'
import { type ReactNode, type SubmitEvent, useId } from 'react'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { ColourField } from './colour-field.tsx'
import { PositionGrid } from './position-grid.tsx'
import { RangeField } from './range-field.tsx'
import { DEFAULT_LOOK, LEAST_OPACITY } from '../../../contract/endpoints/looks/default-look.ts'
import { isLookValid, LINES, type Look } from './watermark-draft.ts'

interface WatermarkFormProps {
  look: Look
  isNew: boolean
  changed: boolean
  pending: boolean
  error: string | undefined
  /** Says what another user did to the placement meanwhile. */
  meanwhile: ReactNode
  onChange: (change: Partial<Look>) => void
  onSave: () => void
  onCancel: () => void
}

/** Edits one placement. The preview shows input at once; Save stores it. */
export function WatermarkForm({
  look,
  isNew,
  changed,
  pending,
  error,
  meanwhile,
  onChange,
  onSave,
  onCancel,
}: WatermarkFormProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isLookValid(look) && !pending) onSave()
  }
  return (
    <Box
      component="form"
      noValidate
      aria-label={isNew ? t`New placement` : t`Placement`}
      onSubmit={submit}
      sx={{ display: 'grid', gap: 2 }}
    >
      <TextField
        label={t`Text`}
        multiline
        minRows={2}
        maxRows={6}
        value={look.custom_text}
        placeholder={t`Confidential`}
        onChange={(event) => onChange({ custom_text: event.target.value })}
        slotProps={{ htmlInput: { maxLength: 500 }, inputLabel: { shrink: true } }}
      />
      <LineChoice look={look} onChange={onChange} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
        <Labelled label={t`Position`}>
          <PositionGrid value={look} onChange={onChange} />
        </Labelled>
        <Box sx={{ flex: '1 1 220px', display: 'grid', gap: 1 }}>
          <ColourField value={look.color} onChange={(color) => onChange({ color })} />
          <RangeField
            label={t`Size`}
            unit=" pt"
            min={6}
            max={144}
            value={look.font_size}
            onChange={(font_size) => onChange({ font_size })}
          />
          <RangeField
            label={t`Opacity`}
            unit=" %"
            min={LEAST_OPACITY * 100}
            max={100}
            value={Math.round(Math.max(look.opacity, LEAST_OPACITY) * 100)}
            onChange={(percent) => onChange({ opacity: percent / 100 })}
          />
          <RangeField
            label={t`Rotation`}
            unit="°"
            min={-90}
            max={90}
            value={look.rotation}
            onChange={(rotation) => onChange({ rotation })}
          />
        </Box>
      </Box>
      {meanwhile}
      {error && <FormError>{error}</FormError>}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button
          type="submit"
          variant="contained"
          loading={pending}
          disabled={!(isNew || changed) || !isLookValid(look)}
        >
          {isNew ? t`Add placement` : t`Save`}
        </Button>
        <Button onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button startIcon={<RotateCcw size={15} />} onClick={() => onChange(DEFAULT_LOOK)} sx={{ ml: 'auto' }}>
          <Trans>Reset</Trans>
        </Button>
      </Box>
    </Box>
  )
}

function LineChoice({ look, onChange }: Pick<WatermarkFormProps, 'look' | 'onChange'>) {
  return (
    <Labelled label={t`Of the reader`}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5 }}>
        {LINES.map(({ key, label }) => (
          <FormControlLabel
            key={key}
            label={i18n._(label)}
            control={
              <Checkbox
                size="small"
                checked={look[key]}
                onChange={(_event, checked) => onChange({ [key]: checked })}
                sx={{ py: 0.5 }}
              />
            }
          />
        ))}
      </Box>
    </Labelled>
  )
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <Typography id={id} variant="caption" color="textSecondary" sx={{ display: 'block', mb: 0.5 }}>
        {label}
      </Typography>
      {children}
    </div>
  )
}
