import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { FileCheck } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { Call } from '../../../../contract/endpoint.ts'
import { NO_DRAFT } from '../../../../contract/endpoints/deal/terms-pdf.ts'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction, useRead, useReading } from '../../../api/query.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { type Draft, useDraft } from '../../../ui/dialogs/use-draft.ts'
import { useUnsavedChanges } from '../../../ui/dialogs/use-unsaved-changes.ts'
import { CheckRow } from '../../../ui/fields/switch-row.tsx'
import { Meanwhile } from '../../../ui/states/meanwhile.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { Time } from '../../../ui/words/time.tsx'
import { isOvertaking, OvertakenDraft } from './overtaken-draft.tsx'
import { DraftPdf } from './draft-pdf.tsx'
import { draftQuery, type Group, type Version, versionQuery } from './issued.ts'

interface DraftFormProps {
  workspaceId: number
  group: Group | undefined
  latest: Version | undefined
}

const MAX_TEXT = 50_000

type Kind = 'text' | 'pdf'

/** Whether the stored draft is of this kind, so that it can be issued as it is. */
const holds = (kept: { pdf: object | null } | null, kind: Kind): boolean => kept !== null && kindOf(kept) === kind

interface Fields {
  title: string
  text: string
  asks_name: boolean
}

const NO_TERMS: Fields = { title: '', text: '', asks_name: false }

/**
 * The draft, or else what a new version begins with: the latest one, or a title for the first one. A draft that was issued
 * stays until the version is there, so that nobody types into fields that fill themselves.
 */
function useStored({ workspaceId, group, latest }: DraftFormProps) {
  const { draft } = useRead(draftQuery(workspaceId, group?.id))
  const [first] = useState(draft ? undefined : latest)
  const issued = useReading({ ...versionQuery(workspaceId, latest?.id ?? 0), enabled: latest !== undefined && !draft })
  const known = draft ?? (latest ? issued.data : null)
  const [begun, setBegun] = useState(known)
  if (known !== undefined && known !== begun) setBegun(known)
  const { title, text, asks_name } = begun ?? { ...NO_TERMS, title: t`Confidentiality terms` }
  return { draft, first, kind: kindOf(begun), stored: { title, text: begun?.pdf ? '' : text, asks_name } }
}

/** The form appears once the version is read with which it begins. */
function Begin({ workspaceId, version }: { workspaceId: number; version: Version }) {
  useRead(versionQuery(workspaceId, version.id))
  return null
}

const kindOf = (terms: { pdf: object | null } | null | undefined): Kind => (terms?.pdf ? 'pdf' : 'text')

export function DraftForm(props: DraftFormProps) {
  const { workspaceId, group, latest } = props
  const { draft: kept, first, stored, kind: storedKind } = useStored(props)
  const draft = useDraft<Fields>(stored)
  const [chosen, setChosen] = useState<Kind>()
  const kind = chosen ?? (draft.changed.includes('text') ? 'text' : storedKind)
  /** The hash of the PDF that the admin uploaded, looked at, or found here. */
  const [seen, setSeen] = useState(kept?.sha256)
  /** The hash of the stored draft when the admin decided to issue it: "" without one. */
  const [issuing, setIssuing] = useState<string>()
  const { text, ...beside } = draft.values
  const isPdf = kind === 'pdf'
  const changed = draft.changed.some((field) => !isPdf || field !== 'text')
  useUnsavedChanges(draft.changed.length > 0)
  const params = { id: workspaceId }
  const digest = kept ? kept.digest : NO_DRAFT
  const body = { group_id: group?.id, ...beside, ...(!isPdf && { text }), digest }
  const { save, issue } = useWriting()
  const isOvertaken = draft.changed.length > 0 && (draft.overtaken.length > 0 || isOvertaking(save.error))
  const hasContent = isPdf ? kept?.pdf != null && kept.sha256 === seen : text.trim() !== ''
  const complete = beside.title.trim() !== '' && hasContent
  const saveIt = async () => {
    const { sha256 } = await save.mutateAsync({ params, body }).catch((error: unknown) => {
      if (isOvertaking(error)) setIssuing(undefined)
      throw error
    })
    draft.saved(isPdf ? beside : draft.values)
    return sha256
  }
  const failed = save.error ?? issue.error
  const issueIt = async () => {
    const saved = changed || !issuing ? await saveIt() : issuing
    // The PDF may be another one by now, which the service then refuses to issue.
    const sha256 = isPdf && issuing ? issuing : saved
    setIssuing(sha256)
    await issue.mutateAsync({ params, body: { group_id: group?.id, sha256, ...beside } })
    setIssuing(undefined)
  }
  return (
    <Box
      component="form"
      noValidate
      sx={{ display: 'grid', gap: 2 }}
      onSubmit={(event) => {
        event.preventDefault()
        if (changed && complete) saveIt().catch(() => {})
      }}
    >
      {first && <Begin workspaceId={workspaceId} version={first} />}
      <TitleField draft={draft} stored={stored} />
      <KindChoice kind={kind} onChange={setChosen} />
      {isPdf ? (
        <DraftPdf
          workspaceId={workspaceId}
          group={group}
          draft={kept}
          beside={beside}
          seen={seen}
          onSeen={setSeen}
          onStored={draft.saved}
        />
      ) : (
        <TermsField draft={draft} stored={stored} isPdfStored={kept?.pdf != null} />
      )}
      <CheckRow
        label={t`Ask for the typed name`}
        text={t`Accepting takes two ticks, and the full name as well where this is on.`}
        checked={draft.values.asks_name}
        onChange={(asks_name) => draft.set({ asks_name })}
      />
      {save.error && !isOvertaking(save.error) && <FormError>{messageOf(save.error)}</FormError>}
      {isOvertaken && (
        <OvertakenDraft
          workspaceId={workspaceId}
          other={kept}
          onSeen={setSeen}
          onTake={() => {
            draft.set(stored)
            setChosen(undefined)
            save.reset()
          }}
        />
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Button type="submit" variant="outlined" loading={save.isPending} disabled={!changed || !complete}>
          {isOvertaken ? t`Save mine anyway` : t`Save draft`}
        </Button>
        <Button
          variant="contained"
          startIcon={<FileCheck size={16} />}
          disabled={isOvertaken || !complete || (!changed && !holds(kept, kind))}
          onClick={() => setIssuing(kept?.sha256 ?? '')}
        >
          {t`Issue version ${(latest?.version ?? 0) + 1}…`}
        </Button>
        {kept && (
          <>
            <DiscardButton call={{ params, query: { group_id: group?.id, digest: kept.digest } }} />
            <Typography variant="caption" color="textSecondary">
              <Trans>
                Draft of <Time at={kept.updated_at} />
              </Trans>
            </Typography>
          </>
        )}
      </Box>
      <FormDialog
        open={issuing !== undefined}
        title={t`Issue “${draft.values.title}”`}
        submit={t`Issue`}
        pending={save.isPending || issue.isPending}
        error={failed ? messageOf(failed) : undefined}
        onSubmit={() => void issueIt().catch(() => {})}
        onClose={() => setIssuing(undefined)}
      >
        <Typography>
          {group
            ? t`From the next request on, members of ${group.name} must accept it before anything is shown to them, also those who accepted an earlier version.`
            : t`From the next request on, members of groups without terms of their own must accept it before anything is shown to them, also those who accepted an earlier version.`}
        </Typography>
        <Typography>{t`An issued version never changes. It can be withdrawn.`}</Typography>
      </FormDialog>
    </Box>
  )
}

function useWriting() {
  const toasts = useToasts()
  return {
    save: useAction(api.terms.saveDraft),
    issue: useAction(api.terms.issue, { onDone: ({ version }) => toasts.done(t`Version ${version} is in force`) }),
  }
}

const KindChoice = ({ kind, onChange }: { kind: Kind; onChange: (kind: Kind) => void }) => (
  <RadioGroup
    row
    aria-label={t`Terms as`}
    value={kind}
    onChange={(_event, value) => onChange(value === 'pdf' ? 'pdf' : 'text')}
    sx={{ mb: -1 }}
  >
    <FormControlLabel
      value="text"
      label={t({ message: 'Text', context: 'of terms' })}
      control={<Radio size="small" />}
    />
    <FormControlLabel value="pdf" label={t`PDF`} control={<Radio size="small" />} />
  </RadioGroup>
)

function DiscardButton({ call }: { call: Call<typeof api.terms.removeDraft> }) {
  /** For the draft that was shown when the admin decided to discard it. */
  const [asked, setAsked] = useState<typeof call>()
  const discard = useAction(api.terms.removeDraft, { onDone: () => setAsked(undefined) })
  return (
    <>
      <Button color="error" onClick={() => setAsked(call)}>
        <Trans>Discard draft</Trans>
      </Button>
      <ConfirmDialog
        open={asked !== undefined}
        title={t`Discard draft`}
        confirm={t`Discard`}
        pending={discard.isPending}
        error={discard.error ? messageOf(discard.error) : undefined}
        onConfirm={() => asked && discard.mutate(asked)}
        onClose={() => {
          setAsked(undefined)
          discard.reset()
        }}
      >
        {t`Its title and its text or PDF are lost. Issued versions stay.`}
      </ConfirmDialog>
    </>
  )
}

interface FieldProps {
  draft: Draft<Fields>
  stored: Fields
}

const meanwhileIn = ({ draft, stored }: FieldProps, key: 'title' | 'text') =>
  draft.overtaken.includes(key) && <Meanwhile value={stored[key].slice(0, 60)} onTake={() => draft.drop(key)} />

const TitleField = (props: FieldProps) => (
  <TextField
    label={t`Title`}
    value={props.draft.values.title}
    autoComplete="off"
    onChange={(event) => props.draft.set({ title: event.target.value })}
    helperText={meanwhileIn(props, 'title')}
    slotProps={{ htmlInput: { maxLength: 255 } }}
  />
)

function TermsField({ isPdfStored, ...props }: FieldProps & { isPdfStored: boolean }) {
  const asksToWrite = useLocation().hash === '#write'
  return (
    <TextField
      label={t({ message: 'Text', context: 'of terms' })}
      value={props.draft.values.text}
      multiline
      autoFocus={asksToWrite}
      minRows={12}
      maxRows={30}
      onChange={(event) => props.draft.set({ text: event.target.value })}
      helperText={
        (!isPdfStored && meanwhileIn(props, 'text')) ||
        t`An empty line ends a paragraph. A short first line with a number is its heading.`
      }
      slotProps={{ htmlInput: { maxLength: MAX_TEXT } }}
    />
  )
}
