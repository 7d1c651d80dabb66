import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { SeenWorkspace } from '../../../shared/view-as/seen-by.ts'
import { calendarDate } from '../../../ui/words/format.ts'
import { Time } from '../../../ui/words/time.tsx'
import { AnswerFiles, Text } from '../thread/given-answer.tsx'
import { Place } from '../thread/place.tsx'
import type { PassedThread } from './experts.ts'

interface PassedWordsProps {
  thread: PassedThread
  /** An admin looks at it. */
  isSeen?: boolean
  /** The workspace as the expert has it, to which links lead. */
  seen?: SeenWorkspace
}

/** Everything that an expert sees of a question. */
export function PassedWords({ thread, seen, isSeen = seen !== undefined }: PassedWordsProps) {
  const { text, category, due_on, files, entries } = thread
  const facts = [category, due_on && t`due ${calendarDate(due_on)}`].filter(Boolean).join(' · ')
  return (
    <>
      {facts !== '' && <Typography color="textSecondary">{facts}</Typography>}
      <div>
        {text !== '' && <Text>{text}</Text>}
        <Place place={thread.place} seen={seen} />
      </div>
      {files.length > 0 && (
        <div>
          <Typography variant="subtitle2">{t`Documents`}</Typography>
          <AnswerFiles files={files} seen={seen} />
        </div>
      )}
      <Said aria-label={t`What was said`}>
        {entries.map((entry) => (
          <Box key={`${entry.created_at} ${entry.kind}`} data-own={entry.own} component="article">
            <Typography variant="caption" component="p" color="textSecondary">
              {didWords(entry, isSeen)}, <Time at={entry.created_at} />
            </Typography>
            {entry.text !== '' && <Text>{entry.text}</Text>}
          </Box>
        ))}
      </Said>
    </>
  )
}

function didWords({ kind, user_name }: PassedThread['entries'][number], isSeen: boolean): string {
  if (kind === 'asked') return t`${user_name} asked for help`
  if (kind === 'drafted') return isSeen ? t`${user_name} drafted an answer` : t`You drafted an answer`
  return isSeen ? t`${user_name} wrote a remark` : t`You remarked`
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
