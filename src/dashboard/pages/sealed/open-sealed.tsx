import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Ban, CircleCheck, Unplug } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { OPENING_REFUSALS } from '../../../contract/shown-sentences.ts'
import { ApiFailure, messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { say } from '../../api/say.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { useInFront } from '../../ui/use-in-front.ts'
import { notWaiting } from './code-form.tsx'
import { handOver, hasDocument } from './hand-over.ts'
import { Outcome } from './outcome.tsx'
import { SignedInAs } from './signed-in-as.tsx'

export interface Waiting {
  workspace_id: number
  copy_id: string
  challenge: string
  /** Undefined if the document opened this window itself. */
  entered: Entered | undefined
}

/** A code that the user entered, and the title of its document. */
interface Entered {
  user_code: string
  /** "" for a file that the reader may not view. */
  title: string
}

type Answer = Reply<typeof api.sealedCopies.open>

/** Asks the reader first, so that no page can release a key without the reader's knowledge. */
export function OpenSealed({ waiting }: { waiting: Waiting }) {
  const { copy_id, workspace_id, challenge, entered } = waiting
  const user_code = entered && { user_code: entered.user_code }
  const title = entered?.title
  const open = useAction(api.sealedCopies.open, {
    onDone: ({ code }) => {
      if (code !== '') handOver(copy_id, code)
    },
  })
  if (open.data) return <Answered answer={open.data} />
  if (isUnknown(open.error)) {
    return (
      <Refused
        message={entered ? notWaiting() : t`This copy was made for somebody else, or is not known here any more.`}
      />
    )
  }
  if (!entered && !open.isPending && !hasDocument()) return <PartedWindow />
  return (
    <>
      <Typography>
        {!title ? (
          <Trans>A sealed document asks to be opened.</Trans>
        ) : (
          <Trans>
            <strong>{title}</strong> asks to be opened.
          </Trans>
        )}{' '}
        <Trans>Go on only if you have just asked for it yourself; it is recorded.</Trans>
      </Typography>
      {open.error && <FormError>{messageOf(open.error)}</FormError>}
      <OpenButton
        isPending={open.isPending}
        onOpen={() => open.mutate({ params: { copy_id }, body: { workspace_id, challenge, ...user_code } })}
      />
      <SignedInAs />
    </>
  )
}

/** Ignores a click or a key that began before the window was in front, because any site may have opened the window. */
function OpenButton({ isPending, onOpen }: { isPending: boolean; onOpen: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const inFront = useInFront()
  useEffect(() => {
    if (inFront) button.current?.focus()
  }, [inFront])
  return (
    <Button
      ref={button}
      variant="contained"
      size="medium"
      disabled={!inFront}
      loading={isPending}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault()
      }}
      onClick={onOpen}
    >
      <Trans>Open document</Trans>
    </Button>
  )
}

function Answered({ answer: { opened, code, refusal, message } }: { answer: Answer }) {
  if (!opened) return <Refused message={refusal ? say(OPENING_REFUSALS[refusal]) : message} />
  if (code === '') {
    return (
      <Outcome icon={CircleCheck} title={t`It opens where you saw the code`} text={t`You can close this window.`} />
    )
  }
  return <Outcome icon={CircleCheck} title={t`It is open`} text={t`You can close this window.`} />
}

/** Some identity providers separate a window from its opener. */
function PartedWindow() {
  return (
    <>
      <Outcome
        icon={Unplug}
        title={t`You are signed in`}
        text={t`Signing in has parted this window from the document. Close it, and choose “Open document” there again.`}
      />
      <SignedInAs />
    </>
  )
}

function Refused({ message }: { message: string }) {
  return (
    <>
      <Outcome icon={Ban} title={t`It does not open`} text={message} />
      <SignedInAs />
    </>
  )
}

const isUnknown = (error: unknown) => error instanceof ApiFailure && (error.code === 404 || error.code === 422)
