import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { CornerDownRight, GraduationCap } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction } from '../../../api/query.ts'
import { PersonAvatar } from '../../../shared/person-avatar.tsx'
import { personNamed } from '../../../shared/people.ts'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { RowMenu } from '../../../ui/fields/row-menu.tsx'
import { Opening } from '../../../ui/states/opening.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { Time } from '../../../ui/words/time.tsx'
import { isUnanswered, type Thread, type Work } from '../questions.ts'
import { Text } from '../thread/given-answer.tsx'
import { barWords } from './experts.ts'

const PassDialog = lazy(async () => ({ default: (await import('./pass-dialog.tsx')).PassDialog }))
const SeenDialog = lazy(async () => ({ default: (await import('./seen-dialog.tsx')).SeenDialog }))

type Pass = Work['passes'][number]
type Open = { what: 'pass'; userId?: number } | { what: 'seen'; expert: Pass['expert'] }

interface PassesProps {
  thread: Thread
  work: Work
  /** Takes the words of an expert over into the draft; absent where there is none to write. */
  onTake?: (text: string) => void
}

/** The experts to whom a question was passed, and what they drafted. */
export function Passes({ thread, work, onTake }: PassesProps) {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const { passes, entries } = work
  const unanswered = isUnanswered(thread)
  if (passes.length === 0 && !unanswered) return null
  return (
    <Section aria-label={t`Experts`}>
      {passes.map((pass) => (
        <PassRow key={pass.expert.id} {...{ thread, pass, unanswered }} onOpen={setOpen} />
      ))}
      {onTake &&
        entries
          .filter(({ kind, text }) => kind === 'expert_drafted' && text !== '')
          .map(({ id, user_name, text, created_at }) => (
            <Drafted key={id}>
              <Typography variant="caption" component="p" color="textSecondary">
                <Trans>
                  <strong>{user_name}</strong> drafted an answer as an expert, <Time at={created_at} />
                </Trans>
              </Typography>
              <Text>{text}</Text>
              <Button
                size="small"
                startIcon={<CornerDownRight size={15} />}
                sx={{ justifySelf: 'start' }}
                onClick={() => onTake(text)}
              >
                <Trans>Take over into the answer</Trans>
              </Button>
            </Drafted>
          ))}
      {unanswered && (
        <Button
          startIcon={<GraduationCap size={16} />}
          sx={{ justifySelf: 'start' }}
          onClick={() => setOpen({ what: 'pass' })}
        >
          <Trans>Pass to an expert</Trans>
        </Button>
      )}
      <Suspense fallback={<Opening onClose={close} />}>
        {open?.what === 'pass' && <PassDialog {...{ thread, work }} userId={open.userId} onClose={close} />}
        {open?.what === 'seen' && <SeenDialog id={thread.id} expert={open.expert} onClose={close} />}
      </Suspense>
    </Section>
  )
}

interface PassRowProps {
  thread: Thread
  pass: Pass
  unanswered: boolean
  onOpen: (open: Open) => void
}

function PassRow({ thread, pass, unanswered, onOpen }: PassRowProps) {
  const workspace_id = useWorkspaceId()
  const toasts = useToasts()
  const withdraw = useAction(api.experts.withdraw, {
    onDone: () => toasts.done(t`The question was withdrawn from the expert.`),
  })
  const { expert, bar } = pass
  const params = { workspace_id, question_id: thread.id, user_id: expert.id }
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <PersonAvatar person={personNamed(expert.name)} size={26} />
      <Box sx={{ minWidth: 0, flex: 1, overflowWrap: 'anywhere' }}>
        <strong>{expert.name}</strong>
        <Typography variant="caption" component="p" color={bar ? 'error' : 'textSecondary'}>
          {bar ? barWords(bar) : <Progress pass={pass} unanswered={unanswered} />}
        </Typography>
      </Box>
      <RowMenu label={t`More about ${expert.name}`}>
        {unanswered && !bar && (
          <MenuItem onClick={() => onOpen({ what: 'pass', userId: expert.id })}>{t`Ask again`}</MenuItem>
        )}
        {!bar && <MenuItem onClick={() => onOpen({ what: 'seen', expert })}>{t`What this person sees`}</MenuItem>}
        <MenuItem
          disabled={withdraw.isPending}
          onClick={() => withdraw.mutate({ params }, { onError: (error) => toasts.failed(messageOf(error)) })}
        >
          {t({ message: 'Withdraw the question', context: 'from an expert' })}
        </MenuItem>
      </RowMenu>
    </Box>
  )
}

function Progress({ pass: { asked_at, replied_at }, unanswered }: { pass: Pass; unanswered: boolean }) {
  if (replied_at !== null) {
    return (
      <Trans>
        replied <Time at={replied_at} />
      </Trans>
    )
  }
  if (!unanswered) return <Trans>did not reply</Trans>
  return (
    <Trans>
      asked <Time at={asked_at} />, no reply yet
    </Trans>
  )
}

const Section = styled('section')({ display: 'grid', gap: 8, 'p, strong': { margin: 0 } })

const Drafted = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 4,
  padding: '8px 12px',
  borderRadius: 8,
  border: `1px solid ${theme.vars.palette.divider}`,
  p: { margin: 0 },
}))
