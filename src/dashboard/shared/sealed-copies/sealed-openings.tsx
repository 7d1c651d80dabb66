import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { messageOf } from '../../api/failures.ts'
import { useReading } from '../../api/query.ts'
import { fullDate } from '../../ui/words/format.ts'
import { NotRead } from '../../ui/states/not-read.tsx'
import { openingsQuery, REFUSAL_WORDS, type SealedCopy, type SealedOpening } from './sealed-copies.ts'
import { known } from '../../ui/words/known.ts'

export function SealedOpenings({ id, copy }: { id: string; copy: SealedCopy }) {
  const { data, error, refetch } = useReading(openingsQuery(copy))
  return (
    <List id={id} aria-busy={!data && !error}>
      {!data && (
        <li>
          {error ? <NotRead reason={messageOf(error)} onRetry={() => void refetch()} /> : <Skeleton width={220} />}
        </li>
      )}
      {data?.length === 0 && <li>{t`Nobody has opened it yet.`}</li>}
      {data?.map((opening) => (
        <li key={opening.id}>
          <Typography variant="caption" component="p">
            <Outcome opening={opening} />
            {' · '}
            {fullDate(opening.created_at)}
          </Typography>
        </li>
      ))}
    </List>
  )
}

function Outcome({ opening: { user_name: name, refusal } }: { opening: SealedOpening }) {
  const who = <strong>{name}</strong>
  if (refusal === null) return <Trans>{who} opened it</Trans>
  const reason = i18n._(known(REFUSAL_WORDS, refusal, msg`for another reason`))
  return (
    <Trans>
      {who} was refused: {reason}
    </Trans>
  )
}

const List = styled('ul')(({ theme }) => ({
  flexBasis: '100%',
  listStyle: 'none',
  margin: 0,
  padding: '6px 0 6px 12px',
  borderLeft: `2px solid ${theme.vars.palette.divider}`,
}))
