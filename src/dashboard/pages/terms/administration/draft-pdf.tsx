import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { FileText, FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useDropzone } from 'react-dropzone'
import type { Reply } from '../../../../contract/endpoint.ts'
import { NO_DRAFT, TERMS_PDF } from '../../../../contract/endpoints/deal/terms-pdf.ts'
import { api } from '../../../../contract/index.ts'
import { urlOf } from '../../../../contract/url.ts'
import { messageOf } from '../../../api/failures.ts'
import { refresh } from '../../../api/query.ts'
import { put } from '../../../shared/uploads/send/put.ts'
import { DropArea } from '../../../ui/fields/drop-area.tsx'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { bytes } from '../../../ui/words/format.ts'
import { draftPagesQuery } from '../pdf/terms-pages.ts'
import type { Group } from './issued.ts'
import { isOvertaking } from './overtaken-draft.tsx'
import { PagesDialog } from './version-dialog.tsx'

const MEGABYTES = TERMS_PDF.bytes / 1_000_000

type Draft = Reply<typeof api.terms.saveDraft>

interface DraftPdfProps {
  workspaceId: number
  group: Group | undefined
  draft: Draft | null
  /** What is stored with it. */
  beside: Beside
  /** The hash of the PDF that the admin has seen. */
  seen: string | undefined
  onSeen: (sha256: string) => void
  /** Gets what was stored with it. */
  onStored: (sent: Partial<Beside>) => void
}

interface Beside {
  title: string
  asks_name: boolean
}

/** A PDF to drop or to choose, which becomes the draft at once. */
export function DraftPdf(props: DraftPdfProps) {
  const { draft } = props
  const [reads, setReads] = useState(false)
  const { send, cancel, sent, rejected } = useSend(props)
  const chooser = useRef<HTMLButtonElement>(null)
  const cancelled = useRef(false)
  // The button cannot have the focus before it is enabled again.
  useEffect(() => {
    if (!sent.isPending && cancelled.current) chooser.current?.focus()
    cancelled.current = false
  }, [sent.isPending])
  const isReplaced = draft?.pdf != null && draft.sha256 !== props.seen && !sent.isPending
  const zone = useDropzone({
    accept: { 'application/pdf': ['.pdf'] },
    maxSize: TERMS_PDF.bytes,
    multiple: false,
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    useFsAccessApi: false,
    disabled: sent.isPending,
    onDrop: ([file]) => send(file),
  })
  return (
    <div style={{ display: 'grid', gap: 8 }}>
      <DropArea {...zone.getRootProps({ role: undefined, tabIndex: undefined })} data-over={zone.isDragActive}>
        {draft?.pdf ? (
          <Stored pdf={draft.pdf} />
        ) : (
          <>
            <FileUp size={22} aria-hidden />
            <Typography color="textSecondary" sx={{ flex: '1 1 160px' }}>
              {t`Drop a PDF here, or choose one.`}
            </Typography>
          </>
        )}
        {draft?.pdf && (
          <Button onClick={() => setReads(true)}>
            <Trans>Look at the pages</Trans>
          </Button>
        )}
        <Button ref={chooser} variant="outlined" loading={sent.isPending} onClick={zone.open}>
          {draft?.pdf ? t`Replace` : t`Choose a PDF`}
        </Button>
        {sent.isPending && (
          <Button
            onClick={() => {
              cancelled.current = true
              cancel()
            }}
          >
            <Trans>Cancel</Trans>
          </Button>
        )}
        {/* Last, so that the gap after it is at the end. */}
        <input {...zone.getInputProps({ 'aria-label': t`PDF of the terms` })} />
      </DropArea>
      {sent.isPending && <LinearProgress aria-label={t`Storing and checking it…`} />}
      <Typography variant="caption" role="status" sx={{ '&:empty': { display: 'none' } }}>
        {sent.isPending && t`Storing and checking it…`}
        {isReplaced && t`This PDF was stored meanwhile. Look at its pages before you issue it.`}
      </Typography>
      {rejected && <FormError>{t`Choose a PDF of at most ${MEGABYTES} MB.`}</FormError>}
      {sent.error && !rejected && (
        <FormError>
          {isOvertaking(sent.error)
            ? t`Somebody saved this draft after you had read it, so your PDF was not stored. Look at the draft, then choose your PDF again to replace it.`
            : messageOf(sent.error)}
        </FormError>
      )}
      {draft?.pdf && (
        <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {`SHA-256 ${draft.sha256}`}
        </Typography>
      )}
      <Typography variant="caption" color="textSecondary">
        {draft && !draft.pdf && <>{t`It replaces the text of the draft.`} </>}
        {t`At most ${MEGABYTES} MB and ${TERMS_PDF.pages} pages, without password, scripts and other files. Members see its pages and may save it before they accept.`}
      </Typography>
      {reads && draft?.pdf && (
        <PagesDialog
          title={draft.title}
          pages={draftPagesQuery(props.workspaceId, props.group?.id)}
          hash={draft.sha256}
          onShown={props.onSeen}
          onClose={() => setReads(false)}
        />
      )}
    </div>
  )
}

function useSend({ workspaceId, group, draft, beside, onSeen, onStored }: DraftPdfProps) {
  const [rejected, setRejected] = useState(false)
  const sending = useRef<AbortController>(undefined)
  useEffect(() => () => sending.current?.abort(), [])
  const sent = useMutation({
    mutationFn: async ({ file, title, asks_name }: Beside & { file: File }) => {
      const digest = draft ? draft.digest : NO_DRAFT
      const query = { group_id: group?.id, file_name: file.name, title: title.trim() || undefined, asks_name, digest }
      const url = urlOf(api.terms.setDraftPdf, { params: { id: workspaceId }, query })
      const { signal } = (sending.current = new AbortController())
      const { sha256 } = await put<Draft>({ url, body: file, onProgress: () => {}, signal })
      onSeen(sha256)
      await refresh()
      onStored({ ...(title.trim() !== '' && { title }), asks_name })
    },
    onError: (error) => {
      if (isOvertaking(error)) void refresh()
    },
  })
  const send = (file: File | undefined) => {
    setRejected(!file)
    if (file) sent.mutate({ file, ...beside })
  }
  const cancel = () => {
    sending.current?.abort()
    sent.reset()
    // The service may have stored it already.
    void refresh()
  }
  return { send, cancel, sent, rejected }
}

function Stored({ pdf }: { pdf: NonNullable<Draft['pdf']> }) {
  const pages = plural(pdf.pages, { one: '# page', other: '# pages' })
  return (
    <>
      <FileText size={22} aria-hidden />
      <div style={{ minWidth: 0, flex: '4 1 200px', overflowWrap: 'anywhere' }}>
        <Typography sx={{ fontWeight: 600 }}>{pdf.file_name}</Typography>
        <Typography variant="caption" color="textSecondary" component="div">
          {`${bytes(pdf.size)} · ${pages}`}
        </Typography>
      </div>
    </>
  )
}
