import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Eye, Send } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction, useReading } from '../../../api/query.ts'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { useMe } from '../../session.ts'
import { type BrandPlace, type Draft, previewQuery } from './brand-place.ts'

/** The mail as the service would send it now, and a test of it to the admin. */
export function MailPreview({ place, draft }: { place: BrandPlace; draft: Draft }) {
  const [asked, setAsked] = useState<Draft>()
  const { data, error, isFetching } = useReading({
    ...previewQuery(place, asked ?? draft),
    enabled: asked !== undefined,
  })
  return (
    <Parts>
      <Row>
        <Button variant="outlined" startIcon={<Eye size={15} />} loading={isFetching} onClick={() => setAsked(draft)}>
          <Trans>Preview</Trans>
        </Button>
        {place !== 'organization' && <TestButton workspaceId={place.workspaceId} draft={draft} />}
      </Row>
      {error && <FormError>{messageOf(error)}</FormError>}
      {asked && data && <Mail mail={data} language={asked.language} />}
    </Parts>
  )
}

function TestButton({ workspaceId, draft }: { workspaceId: number; draft: Draft }) {
  const { email } = useMe()
  const toasts = useToasts()
  const test = useAction(api.brandings.sendTest, { onDone: () => toasts.done(t`The test is on its way to ${email}`) })
  return (
    <>
      <Button
        startIcon={<Send size={15} />}
        loading={test.isPending}
        onClick={() => test.mutate({ params: { id: workspaceId }, body: draft })}
      >
        <Trans>Send a test to me</Trans>
      </Button>
      {test.error && <FormError>{messageOf(test.error)}</FormError>}
    </>
  )
}

interface MailProps {
  mail: { from: string; reply_to: string | null; subject: string; text: string }
  language: string
}

function Mail({ mail, language }: MailProps) {
  return (
    <Paper aria-label={t`Preview of the invitation`}>
      <dl>
        <dt>{t`From`}</dt>
        <dd>{mail.from}</dd>
        {mail.reply_to !== null && (
          <>
            <dt>{t`Replies to`}</dt>
            <dd>{mail.reply_to}</dd>
          </>
        )}
        <dt>{t`Subject`}</dt>
        <dd lang={language}>{mail.subject}</dd>
      </dl>
      <p lang={language}>{mail.text.trim()}</p>
      <small>{t`You are the reader here. Every reader gets a link of their own, and in HTML a button for it.`}</small>
    </Paper>
  )
}

const Parts = styled('div')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 12 })

const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8 })

const Paper = styled('section')(({ theme }) => ({
  padding: 16,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  background: theme.vars.palette.background.default,
  overflowWrap: 'anywhere',
  dl: { display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', gap: '4px 12px', margin: '0 0 12px' },
  dt: { color: theme.vars.palette.text.secondary },
  dd: { margin: 0 },
  p: { margin: '0 0 12px', whiteSpace: 'pre-line', lineHeight: 1.6 },
  small: { color: theme.vars.palette.text.secondary },
}))
