import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Link from '@mui/material/Link'

interface MeanwhileProps {
  /** The value that another user stored, as text; "" if it is empty. */
  value: string
  onTake: () => void
}

/** Shown below a field: the value that was stored while the user typed, which saving will replace. */
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
