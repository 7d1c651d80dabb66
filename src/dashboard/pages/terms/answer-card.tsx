import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Paper from '@mui/material/Paper'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { FileSignature } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { UNPRINTED } from '../../ui/print.ts'
import { dayOf, shortDate } from '../../ui/words/format.ts'
import type { OwnTerms, OwnVersion } from './own-terms.ts'

interface AnswerProps {
  own: OwnTerms
  version: OwnVersion
  /** Where the reader goes on. */
  to: string
  onEntered: () => void
}

export function AnswerCard(props: AnswerProps) {
  const { own, version } = props
  const more = own.terms.filter(({ accepted_at }) => accepted_at === null).length - 1
  return (
    <Paper variant="outlined" component="section" className={UNPRINTED} sx={{ p: 2.5, display: 'grid', gap: 1.5 }}>
      {!own.await ? (
        <Entered {...props} />
      ) : (
        <>
          <div style={{ display: 'grid', gap: 4 }}>
            <Typography variant="h2">{version.declined_at ? t`You have declined` : t`Accept to enter`}</Typography>
            <Typography color="textSecondary">
              {version.declined_at
                ? t`Declined on ${dayOf(version.declined_at)}. You may still accept; until then nothing in this workspace is shown to you.`
                : t`Until then no document and no name in this workspace is shown to you.`}
            </Typography>
            {more > 0 && <Typography color="textSecondary">{t`Terms of another of your groups follow.`}</Typography>}
          </div>
          <AnswerForm {...props} />
        </>
      )}
    </Paper>
  )
}

function Entered({ version, to }: AnswerProps) {
  return (
    <>
      <Typography variant="h2">{version.accepted_at ? t`Accepted` : t`In force for members`}</Typography>
      <Typography color="textSecondary">
        {version.accepted_at
          ? t`You accepted this version on ${shortDate(version.accepted_at)}.`
          : t`You may enter without accepting: these terms bind the members of groups.`}
      </Typography>
      <ButtonLink variant="contained" to={to}>
        <Trans>Enter</Trans>
      </ButtonLink>
    </>
  )
}

function AnswerForm({ own, version, to, onEntered }: AnswerProps) {
  const { company } = own.recorded
  const [hasRead, setHasRead] = useState(false)
  const [mayAccept, setMayAccept] = useState(false)
  const [name, setName] = useState('')
  const { accept, decline } = useAnswers(to, onEntered)
  const params = { id: own.workspace_id, terms_id: version.id }
  const ready = hasRead && mayAccept && (!version.asks_name || name.trim() !== '')
  const pending = accept.isPending || decline.isPending
  const error = accept.error ?? decline.error
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = { has_read: hasRead, may_accept: mayAccept, typed_name: version.asks_name ? name : '' }
    if (ready && !pending) accept.mutate({ params, body })
  }
  return (
    <form noValidate onSubmit={submit} style={{ display: 'grid', gap: 12 }}>
      <Tick
        checked={hasRead}
        onChange={setHasRead}
        label={t`I have read version ${version.version} and accept it for myself`}
      />
      <Tick
        checked={mayAccept}
        onChange={setMayAccept}
        label={company ? t`I may accept it for ${company}` : t`I may accept it for whom I act`}
      />
      {version.asks_name && <NameField own={own} value={name} onChange={setName} />}
      {error && <FormError>{messageOf(error)}</FormError>}
      <Button
        type="submit"
        variant="contained"
        large
        startIcon={<FileSignature size={16} />}
        disabled={!ready}
        loading={accept.isPending}
      >
        <Trans>Accept and enter</Trans>
      </Button>
      {!version.declined_at && (
        <Button
          style={{ color: 'var(--sr-palette-error-main)' }}
          disabled={pending}
          onClick={() => decline.mutate({ params })}
        >
          <Trans>Decline</Trans>
        </Button>
      )}
      {version.declined_at && (
        <ButtonLink to={paths.home()}>
          <Trans>Go to your workspaces</Trans>
        </ButtonLink>
      )}
    </form>
  )
}

function useAnswers(to: string, onEntered: () => void) {
  const navigate = useNavigate()
  const accept = useAction(api.terms.accept, {
    onDone: (own) => {
      if (own.await) return
      onEntered()
      void navigate(to, { replace: true })
    },
  })
  return { accept, decline: useAction(api.terms.decline) }
}

interface TickProps {
  checked: boolean
  onChange: (checked: boolean) => void
  label: string
}

const Tick = ({ checked, onChange, label }: TickProps) => (
  <FormControlLabel
    sx={{ alignItems: 'flex-start', m: 0, overflowWrap: 'anywhere', '.MuiCheckbox-root': { p: '1px 10px 0 0' } }}
    control={<Checkbox size="small" checked={checked} onChange={(event) => onChange(event.target.checked)} />}
    label={label}
  />
)

function NameField({ own, value, onChange }: { own: OwnTerms; value: string; onChange: (name: string) => void }) {
  const { first_name, last_name } = own.recorded
  const name = `${first_name} ${last_name}`.trim()
  const differs = value.trim() !== '' && name !== '' && !name.startsWith(value.trim())
  return (
    <TextField
      label={t`Your full name, typed`}
      value={value}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ htmlInput: { maxLength: 255 } }}
      helperText={
        name === ''
          ? undefined
          : differs
            ? t`In your profile: ${name}. It is recorded as you type it.`
            : t`As in your profile: ${name}`
      }
    />
  )
}
