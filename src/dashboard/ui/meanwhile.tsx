import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Link from '@mui/material/Link'

interface MeanwhileProps {
  /** What somebody else stored, in words; "" for nothing. */
  value: string
  onTake: () => void
}

/** Below a field: what was stored while one typed, which saving will replace. */
export function Meanwhile({ value, onTake }: MeanwhileProps) {
  return (
    <span role="status">
      {value === '' ? t`Somebody emptied this meanwhile.` : t`Somebody changed this to “${value}” meanwhile.`}{' '}
      <Link component="button" type="button" variant="caption" onClick={onTake} sx={{ verticalAlign: 'baseline' }}>
        <Trans>Use that instead</Trans>
      </Link>
    </span>
  )
}
