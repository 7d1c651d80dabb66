import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import MenuItem from '@mui/material/MenuItem'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { PDF_DELIVERIES, type PdfDelivery } from '../../contract/endpoints/watermarks.ts'

const WORDS = {
  woven: {
    name: msg`PDF with the mark in its pages`,
    withstands: msg`The mark is mixed into the content of each page. Removing layers, comments or objects does not take it off; editing every page in a PDF editor can.`,
  },
  pictures_with_text: {
    name: msg`Pictures of pages, with searchable text`,
    withstands: msg`The mark is in the pixels: only retouching every picture takes it off. The text can be searched, and copied without the mark.`,
  },
  pictures: {
    name: msg`Pictures of pages`,
    withstands: msg`The mark is in the pixels: only retouching every picture takes it off. The text can be neither searched nor copied.`,
  },
}

interface PdfDeliveryChoiceProps {
  label: string
  value: PdfDelivery
  /** Why pictures cannot be chosen. */
  refused?: string | undefined
  onChange: (value: PdfDelivery) => void
}

/** Chooses how marked PDFs are delivered, and says what each way withstands. */
export function PdfDeliveryChoice({ label, value, refused, onChange }: PdfDeliveryChoiceProps) {
  return (
    <Aside>
      <TextField
        select
        fullWidth
        label={label}
        value={value}
        helperText={[i18n._(WORDS[value].withstands), refused && t`Pictures of pages: ${refused}`]
          .filter(Boolean)
          .join(' ')}
        onChange={(event) => onChange(event.target.value as PdfDelivery)}
      >
        {PDF_DELIVERIES.map((each) => (
          <MenuItem key={each} value={each} disabled={refused !== undefined && each !== 'woven' && each !== value}>
            {i18n._(WORDS[each].name)}
          </MenuItem>
        ))}
      </TextField>
    </Aside>
  )
}

/** Aligned with the text of the switch above. */
const Aside = styled('div')({ minWidth: 0, maxWidth: 460, margin: '10px 0 10px 50px' })
