import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { MOST_LETTERS } from '../../../../contract/endpoints/deal/questions.ts'
import { api } from '../../../../contract/index.ts'
import { ApiFailure, messageOf } from '../../../api/failures.ts'
import { useAction, useReading } from '../../../api/query.ts'
import { readNewsAgain } from '../../../shared/news/news-queries.ts'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { useUnsavedChanges } from '../../../ui/dialogs/use-unsaved-changes.ts'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { HideButton, Panel } from '../thread/panel.tsx'
import { useLookedAt } from '../thread/use-looked-at.ts'
import { type PassedThread, passedThreadQuery } from './experts.ts'
import { PassedHead } from './passed-head.tsx'
import { PassedWords } from './passed-words.tsx'

/** A question that was passed to the person, who replies to the answerers. */
export function PassedPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const enabled = useLookedAt()
  const { data: thread, error, refetch } = useReading({ ...passedThreadQuery(useWorkspaceId(), id), enabled })
  const shown = thread && `${thread.id} ${thread.asked_at}`
  useEffect(() => {
    if (shown) void readNewsAgain()
  }, [shown])
  const isGone = error instanceof ApiFailure && error.code === 404
  if (!thread || isGone) {
    return (
      <Panel aria-label={t`Question`}>
        <HideButton onClick={onClose} />
        {error ? (
          <ErrorState
            message={isGone ? t`This question is not passed to you any more.` : messageOf(error)}
            onRetry={() => void refetch()}
          />
        ) : (
          <SkeletonRows height={56} />
        )}
      </Panel>
    )
  }
  return (
    <Panel aria-label={thread.subject}>
      <PassedHead thread={thread} onClose={onClose} />
      <PassedWords thread={thread} />
      {thread.state === 'settled' && (
        <Typography color="textSecondary">{t`This question is settled. No more help is needed.`}</Typography>
      )}
      <ReplyForm thread={thread} onRefused={() => void refetch()} />
    </Panel>
  )
}

interface ReplyFormProps {
  thread: PassedThread
  /** The question may have changed since it was read. */
  onRefused: () => void
}

/** Once the question is settled, only what was written until then. */
function ReplyForm({ thread: { id, asked_at, state }, onRefused }: ReplyFormProps) {
  const workspace_id = useWorkspaceId()
  const toasts = useToasts()
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  useUnsavedChanges(!isEmpty)
  const reply = useAction(api.experts.reply, {
    onDone: () => {
      setText('')
      toasts.done(t`Your words were sent to the answerers.`)
    },
  })
  const send = (kind: 'draft' | 'remark') =>
    reply.mutate(
      { params: { workspace_id, question_id: id }, body: { kind, text, asked_at } },
      {
        onError: (error) => {
          toasts.failed(messageOf(error))
          onRefused()
        },
      },
    )
  if (state === 'settled') return isEmpty ? null : <Unsent text={text} />
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <TextField
        label={t`Your words to the answerers`}
        multiline
        minRows={4}
        maxRows={18}
        value={text}
        slotProps={{ htmlInput: { maxLength: MOST_LETTERS.draft } }}
        helperText={t`Only the admins of the workspace read them and decide on the answer. It is given without your name.`}
        onChange={(event) => setText(event.target.value)}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, justifyContent: 'flex-end' }}>
        <Button variant="outlined" disabled={isEmpty || reply.isPending} onClick={() => send('remark')}>
          <Trans>Send as a remark</Trans>
        </Button>
        <Button
          variant="contained"
          disabled={isEmpty}
          loading={reply.isPending}
          startIcon={<Send size={16} />}
          onClick={() => send('draft')}
        >
          <Trans>Send as a draft answer</Trans>
        </Button>
      </Box>
    </Box>
  )
}

function Unsent({ text }: { text: string }) {
  return (
    <TextField
      label={t`Your words to the answerers`}
      multiline
      maxRows={18}
      value={text}
      slotProps={{ htmlInput: { readOnly: true } }}
      helperText={t`These words were not sent, because the question was settled before.`}
    />
  )
}
