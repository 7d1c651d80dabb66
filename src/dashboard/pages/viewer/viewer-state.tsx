import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import { Download, FileClock, FileQuestion, FileX2, RotateCw, ShieldAlert, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { isUnsealable } from '../../shared/listing/entries.ts'
import { unsealableWords } from '../../shared/sealed-copies/sealed-words.ts'
import { shownReason } from '../../shared/shown-reason.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import type { FilePages } from './pages/use-pages.ts'

interface ViewerStateProps {
  document: Pick<FilePages, 'status' | 'reason' | 'reason_code' | 'reason_params'>
  infected: boolean
  /** A download is a sealed copy. */
  sealed: boolean
  /** Undefined if the user may not download. */
  onDownload: (() => void) | undefined
  /** Undefined if the user is not a workspace admin. */
  onRetry: (() => void) | undefined
  onClose: () => void
}

/** Says why there are no pages to show, and offers the next step. */
export function ViewerState(props: ViewerStateProps) {
  const { infected, document } = props
  const { icon, title, text } = infected ? infectedWords() : wordsFor(document, props.onRetry !== undefined)
  const withheld = isWithheld(props) ? ` ${unsealableWords()}` : ''
  return (
    <div role="status" style={{ flex: 1, minWidth: 0, overflow: 'auto' }}>
      {document.status === 'Processing' && !infected && <LinearProgress aria-label={t`Making the pages`} />}
      <EmptyState icon={icon} title={title} text={text + withheld} action={nextStep(props)} />
    </div>
  )
}

const isWithheld = ({ sealed, document }: ViewerStateProps) => sealed && isUnsealable(document.status)

interface Words {
  icon: LucideIcon
  title: string
  text: string
}

const infectedWords = (): Words => ({
  icon: ShieldAlert,
  title: t`A virus was found in this file`,
  text: t`It cannot be viewed, copied or downloaded. Whoever manages the file can delete it.`,
})

function wordsFor(document: ViewerStateProps['document'], isAdmin: boolean): Words {
  switch (document.status) {
    case 'Pending':
      return { icon: FileClock, title: t`Waiting to be read`, text: t`The pages appear here by themselves.` }
    case 'Processing':
      return { icon: FileClock, title: t`The pages are being made`, text: t`They appear here by themselves.` }
    case 'Failed':
      return {
        icon: FileX2,
        title: t`The pages could not be made`,
        text: shownReason(document, isAdmin) || t`This file could not be read.`,
      }
    case 'Unsupported':
      return {
        icon: FileQuestion,
        title: t`There is no preview of this file`,
        text: shownReason(document, isAdmin) || t`Files of this type have no pages to show.`,
      }
    case 'Ready':
      return { icon: FileQuestion, title: t`There is nothing to see`, text: t`The file has no pages.` }
  }
}

function nextStep(props: ViewerStateProps): ReactNode {
  const { document, infected, sealed, onDownload, onRetry, onClose } = props
  const { status } = document
  if (status === 'Failed' && onRetry && !infected) {
    return (
      <Button variant="contained" startIcon={<RotateCw size={16} />} onClick={onRetry}>
        <Trans>Try again</Trans>
      </Button>
    )
  }
  if (onDownload && !infected && !isWithheld(props)) {
    return (
      <Button variant="outlined" startIcon={<Download size={16} />} onClick={onDownload}>
        {sealed ? t`Download sealed copy` : t`Download`}
      </Button>
    )
  }
  return (
    <Button variant="outlined" onClick={onClose}>
      <Trans>Back to the folder</Trans>
    </Button>
  )
}
