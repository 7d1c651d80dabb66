import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useId } from 'react'
import { LANGUAGES, setLanguage } from '../../ui/words/language.ts'

/** The choice is stored in this browser, like the colour scheme. */
export function LanguageChoice() {
  const helpId = useId()
  return (
    <>
      <RadioGroup row aria-label={t`Language`} aria-describedby={helpId} value={i18n.locale}>
        {LANGUAGES.map(({ language, name }) => (
          <FormControlLabel
            key={language}
            value={language}
            label={<span lang={language}>{name}</span>}
            control={<Radio size="small" onChange={() => setLanguage(language)} />}
          />
        ))}
      </RadioGroup>
      <FormHelperText id={helpId} sx={{ mx: 0 }}>
        <Trans>Dates and numbers are written as in it. Choosing one loads the page anew.</Trans>
      </FormHelperText>
    </>
  )
}
