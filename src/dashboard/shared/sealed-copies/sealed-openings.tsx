import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../api/failures.ts'
import { fullDate } from '../../ui/format.ts'
import { openingsQuery, REFUSAL_WORDS, type SealedCopy } from './sealed-copies.ts'

/** Who opened a copy or was refused. */
export function SealedOpenings({ id, copy }: { id: string; copy: SealedCopy }) {
  const { data, error } = useQuery(openingsQuery(copy))
  return (
    <List id={id} aria-busy={!data && !error}>
      {error && <li>{messageOf(error)}</li>}
      {data?.length === 0 && <li>Nobody has opened it yet.</li>}
      {data?.map((opening) => (
        <li key={opening.id}>
          <Typography variant="caption" component="p">
            <strong>{opening.user_name}</strong>{' '}
            {opening.refusal === null ? 'opened it' : `was refused: ${REFUSAL_WORDS[opening.refusal]}`}
            {' · '}
            {fullDate(opening.created_at)}
          </Typography>
        </li>
      ))}
    </List>
  )
}

const List = styled('ul')(({ theme }) => ({
  flexBasis: '100%',
  listStyle: 'none',
  margin: 0,
  padding: '6px 0 6px 12px',
  borderLeft: `2px solid ${theme.vars.palette.divider}`,
}))
