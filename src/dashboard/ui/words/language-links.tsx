import { i18n } from '@lingui/core'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { LANGUAGES, setLanguage } from './language.ts'

/** The other languages, each by its own name, for a user who cannot choose in an account. */
export function LanguageLinks() {
  return (
    <Row>
      {LANGUAGES.filter(({ language }) => language !== i18n.locale).map(({ language, name }) => (
        <Link
          key={language}
          component="button"
          variant="body2"
          color="textSecondary"
          lang={language}
          onClick={() => setLanguage(language)}
        >
          {name}
        </Link>
      ))}
    </Row>
  )
}

const Row = styled('div')({ display: 'flex', gap: 16 })
