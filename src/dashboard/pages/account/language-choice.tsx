import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { LANGUAGES, setLanguage } from '../../ui/language.ts'

/** Kept in this browser, like the colours. */
export function LanguageChoice() {
  return (
    <RadioGroup row aria-label={t`Language`} value={i18n.locale}>
      {LANGUAGES.map(({ language, name }) => (
        <FormControlLabel
          key={language}
          value={language}
          label={<span lang={language}>{name}</span>}
          control={<Radio size="small" onChange={() => setLanguage(language)} />}
        />
      ))}
    </RadioGroup>
  )
}
