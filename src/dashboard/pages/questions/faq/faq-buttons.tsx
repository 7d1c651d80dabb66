import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { BookOpenText, PencilLine } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Opening } from '../../../ui/states/opening.tsx'
import type { Thread } from '../questions.ts'
import { useFaq } from './use-faq.ts'

const FaqDialog = lazy(async () => ({ default: (await import('./faq-dialog.tsx')).FaqDialog }))

/** Puts a published answer among the FAQ, or edits one of these. */
export function FaqButtons({ thread: { id, faq } }: { thread: Thread }) {
  const { place, pending } = useFaq(id)
  const [isEdited, setEdited] = useState(false)
  const close = () => setEdited(false)
  if (!faq) {
    return (
      <Button variant="outlined" startIcon={<BookOpenText size={16} />} loading={pending} onClick={() => place({})}>
        {t`Put among the FAQ`}
      </Button>
    )
  }
  return (
    <>
      <Button variant="outlined" startIcon={<PencilLine size={16} />} onClick={() => setEdited(true)}>
        {t`Edit`}
      </Button>
      <Suspense fallback={<Opening onClose={close} />}>{isEdited && <FaqDialog id={id} onClose={close} />}</Suspense>
    </>
  )
}
