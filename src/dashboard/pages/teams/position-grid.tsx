import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { HPOSITIONS, type Look, placeName, VPOSITIONS } from './watermark-draft.ts'

type Place = Pick<Look, 'hposition' | 'vposition'>

/** The place on the page: nine radio buttons in the shape of a page. */
export function PositionGrid({ value, onChange }: { value: Place; onChange: (place: Place) => void }) {
  const name = useId()
  return (
    <Page role="radiogroup" aria-label={t`Position`}>
      {VPOSITIONS.flatMap((vposition) =>
        HPOSITIONS.map((hposition) => (
          <label key={`${vposition} ${hposition}`} title={placeName({ vposition, hposition })}>
            <input
              type="radio"
              name={name}
              aria-label={placeName({ vposition, hposition })}
              checked={value.vposition === vposition && value.hposition === hposition}
              onChange={() => onChange({ vposition, hposition })}
            />
            <span />
          </label>
        )),
      )}
    </Page>
  )
}

const Page = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(3, 28px)',
  gridTemplateRows: 'repeat(3, 32px)',
  width: 'fit-content',
  padding: 4,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 6,
  background: theme.vars.palette.background.default,
  label: { position: 'relative', display: 'grid', placeItems: 'center', cursor: 'pointer' },
  input: { position: 'absolute', inset: 2, margin: 0, opacity: 0, cursor: 'pointer' },
  span: {
    pointerEvents: 'none',
    width: 14,
    height: 4,
    borderRadius: 2,
    background: theme.vars.palette.text.disabled,
    opacity: 0.55,
  },
  'label:hover span': { opacity: 1 },
  'input:checked + span': { width: 20, height: 8, opacity: 1, background: theme.vars.palette.primary.main },
  'input:focus-visible + span': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 3 },
}))
