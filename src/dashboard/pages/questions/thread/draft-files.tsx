import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { Paperclip } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Opening } from '../../../ui/states/opening.tsx'
import type { Thread, Work } from '../questions.ts'
import { AnswerFiles } from './given-answer.tsx'

const AttachDialog = lazy(async () => ({ default: (await import('./attach/attach-dialog.tsx')).AttachDialog }))

interface DraftFilesProps {
  thread: Thread
  work: Work
  /** The dialog takes the state of the draft from when it opens, and a draft that is being saved is about to change. */
  isSaving: boolean
}

/** The documents of a draft, and a button to choose others. */
export function DraftFiles({ thread, work, isSaving }: DraftFilesProps) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <div>
      <AnswerFiles files={thread.files} />
      <Button startIcon={<Paperclip size={16} />} disabled={isSaving} onClick={() => setOpen(true)}>
        {thread.files.length === 0 ? t`Attach documents` : t`Change the documents`}
      </Button>
      <Suspense fallback={<Opening onClose={close} />}>
        {open && <AttachDialog thread={thread} work={work} onClose={close} />}
      </Suspense>
    </div>
  )
}
