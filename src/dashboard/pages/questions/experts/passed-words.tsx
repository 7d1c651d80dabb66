import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { calendarDate } from '../../../ui/words/format.ts'
import { Time } from '../../../ui/words/time.tsx'
import { AnswerFiles, Text } from '../thread/given-answer.tsx'
import { Place } from '../thread/place.tsx'
import type { PassedThread } from './experts.ts'

/** Everything that an expert sees of a question. */
export function PassedWords({ thread }: { thread: PassedThread }) {
  const { text, category, due_on, files, entries } = thread
  const facts = [category, due_on && t`due ${calendarDate(due_on)}`].filter(Boolean).join(' · ')
  return (
    <>
      {facts !== '' && <Typography color="textSecondary">{facts}</Typography>}
      <div>
        {text !== '' && <Text>{text}</Text>}
        <Place place={thread.place} />
      </div>
      {files.length > 0 && (
        <div>
          <Typography variant="subtitle2">{t`Documents`}</Typography>
          <AnswerFiles files={files} />
        </div>
      )}
      <Said aria-label={t`What was said`}>
        {entries.map(({ kind, own, user_name, text: said, created_at }) => (
          <Box key={`${created_at} ${kind}`} data-own={own} component="article">
            <Typography variant="caption" component="p" color="textSecondary">
              {
                { asked: t`${user_name} asked for help`, drafted: t`You drafted an answer`, remarked: t`You remarked` }[
                  kind
                ]
              }
              , <Time at={created_at} />
            </Typography>
            {said !== '' && <Text>{said}</Text>}
          </Box>
        ))}
      </Said>
    </>
  )
}

const Said = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: 8,
  article: {
    maxWidth: '92%',
    padding: '8px 12px',
    borderRadius: 10,
    background: theme.vars.palette.background.default,
    border: `1px solid ${theme.vars.palette.divider}`,
  },
  'article[data-own=true]': {
    justifySelf: 'end',
    background: theme.vars.palette.selection.row,
    borderColor: 'transparent',
  },
  p: { margin: 0 },
}))
