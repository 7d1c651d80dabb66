import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import type { UseQueryOptions } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useId } from 'react'
import { messageOf } from '../../../api/failures.ts'
import { useReading } from '../../../api/query.ts'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { Changes } from '../changes/changes.tsx'
import { PdfPages } from '../pdf/pdf-pages.tsx'
import { SavePdf } from '../pdf/save-pdf.tsx'
import { type PagesQuery, type TermsPages, termsPagesQuery } from '../pdf/terms-pages.ts'
import { type Version, versionQuery } from './issued.ts'

interface VersionDialogProps {
  workspaceId: number
  version: Version
  /** The version before, if there is one. */
  former: Version | undefined
  onClose: () => void
}

/** An issued version as it is read, and what it changed. */
export function VersionDialog({ workspaceId, version, former, onClose }: VersionDialogProps) {
  const { data, error } = useReading(versionQuery(workspaceId, version.id))
  const before = useReading({ ...versionQuery(workspaceId, former?.id ?? 0), enabled: former !== undefined })
  const failed = error ?? before.error
  return (
    <PagesDialog
      title={t`${version.title}, version ${version.version}`}
      pages={version.pdf ? termsPagesQuery(workspaceId, version.id) : undefined}
      hash={version.sha256}
      onClose={onClose}
    >
      {failed && <FormError>{messageOf(failed)}</FormError>}
      {data && before.data && <Changes workspaceId={workspaceId} former={before.data} present={data} />}
      {data && !version.pdf && (
        <Typography sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{data.text}</Typography>
      )}
    </PagesDialog>
  )
}

interface PagesDialogProps {
  title: string
  /** Undefined for a text. */
  pages: PagesQuery | undefined
  /** Of a text. */
  hash: string
  onClose: () => void
  /** Gets the hash of the PDF whose pages are shown. */
  onShown?: (sha256: string) => void
  children?: ReactNode
}

export function PagesDialog({ title, pages, hash, onClose, onShown, children }: PagesDialogProps) {
  const titleId = useId()
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth={pages !== undefined} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent tabIndex={0} sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        {children}
        {pages ? (
          <>
            <PdfPages query={pages} />
            <PdfHash query={pages} onShown={onShown} />
          </>
        ) : (
          <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {t`SHA-256 of the text, without its title: ${hash}`}
          </Typography>
        )}
      </DialogContent>
      <DialogActions>
        {pages && <SavePdf query={pages} />}
        <Button onClick={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  )
}

interface HashProps {
  query: PagesQuery
  onShown: PagesDialogProps['onShown']
}

/** The hash that came with the pages: the draft may be another one by now. */
function PdfHash({ query, onShown }: HashProps) {
  const { data } = useReading<TermsPages>(query as UseQueryOptions<TermsPages>)
  const hash = data?.sha256
  const tell = useEffectEvent((sha256: string) => onShown?.(sha256))
  useEffect(() => {
    if (hash) tell(hash)
  }, [hash])
  return (
    <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
      {hash && t`SHA-256 of the PDF: ${hash}`}
    </Typography>
  )
}
