import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { useIsMutating } from '@tanstack/react-query'
import { Paperclip } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Opening } from '../../../ui/states/opening.tsx'
import type { Thread, Work } from '../questions.ts'
import { AnswerFiles } from './given-answer.tsx'

const AttachDialog = lazy(async () => ({ default: (await import('./attach/attach-dialog.tsx')).AttachDialog }))

/** The documents of a draft, and a button to choose others. */
export function DraftFiles({ thread, work }: { thread: Thread; work: Work }) {
  const [open, setOpen] = useState(false)
  // The dialog takes the state of the draft from when it opens: one that is being saved is about to change.
  const isSaving = useIsMutating() > 0
  const close = () => setOpen(false)
  return (
    <div>
      <AnswerFiles thread={thread} />
      <Button startIcon={<Paperclip size={16} />} disabled={isSaving} onClick={() => setOpen(true)}>
        {thread.files.length === 0 ? t`Attach documents` : t`Change the documents`}
      </Button>
      <Suspense fallback={<Opening onClose={close} />}>
        {open && <AttachDialog thread={thread} work={work} onClose={close} />}
      </Suspense>
    </div>
  )
}
