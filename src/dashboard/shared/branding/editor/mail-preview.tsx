import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { Eye, Send } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { type Scheme, SURFACES } from '../../../../contract/endpoints/looks/accents.ts'
import { type Api, api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction, useReading } from '../../../api/query.ts'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { useWidth } from '../../../ui/use-width.ts'
import { useMe } from '../../session.ts'
import { type BrandPlace, type Draft, previewQuery } from './brand-place.ts'
import { drawingOf } from './mail-drawing.ts'

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
  mail: Reply<Api['brandings']['preview']>
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
      <Drawing mail={mail} />
      <h4>{t`As plain text`}</h4>
      <p lang={language}>{mail.text.trim()}</p>
      <small>{t`You are the reader here. Every reader gets a link of their own.`}</small>
    </Paper>
  )
}

/** The HTML of the mail, as wide as there is room for it. What it says is said below as text. */
function Drawing({ mail }: Pick<MailProps, 'mail'>) {
  const [scheme, setScheme] = useState<Scheme>('light')
  const box = useRef<HTMLDivElement>(null)
  const width = Math.min(useWidth(box, MAIL_WIDTH), MAIL_WIDTH)
  return (
    <div>
      <ToggleButtonGroup
        exclusive
        size="small"
        aria-label={t`Colour scheme of the preview`}
        value={scheme}
        onChange={(_event, next: Scheme | null) => next && setScheme(next)}
      >
        <ToggleButton value="light">{t`In light`}</ToggleButton>
        <ToggleButton value="dark">{t`In dark`}</ToggleButton>
      </ToggleButtonGroup>
      <Canvas ref={box} style={{ background: SURFACES[scheme][scheme === 'light' ? 1 : 0] }}>
        <img src={drawingOf(mail, scheme, width)} alt={t`The mail with logo and colours`} />
      </Canvas>
    </div>
  )
}

const MAIL_WIDTH = 680

const Parts = styled('div')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 12 })

const Canvas = styled('div')(({ theme }) => ({
  margin: '8px 0 16px',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  overflow: 'hidden',
  img: { display: 'block', margin: '0 auto', maxWidth: '100%' },
}))

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
  h4: { margin: '0 0 8px', fontSize: 13 },
  p: { margin: '0 0 12px', whiteSpace: 'pre-line', lineHeight: 1.6 },
  small: { color: theme.vars.palette.text.secondary },
}))
