import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { CircleCheck, CircleX, Info, type LucideIcon, Stethoscope, TriangleAlert } from 'lucide-react'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Time } from '../../ui/words/time.tsx'
import type { FindingCode } from '../../../contract/endpoints/installation/findings.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { findingInWords } from './finding-words.ts'
import type { SystemInfo } from './system-page.tsx'
import { known } from '../../ui/words/known.ts'

type Examination = NonNullable<SystemInfo['examination']>
type Finding = Examination['findings'][number]

/** What the last examination found, errors first. */
export function Findings({ examination }: Pick<SystemInfo, 'examination'>) {
  if (!examination) {
    return (
      <EmptyState
        icon={Stethoscope}
        title={t`Not examined yet`}
        text={t`A worker checks database, content, queue, audit trails and programs, and says what to do about what it finds.`}
      />
    )
  }
  const { ended_at, requested_at, findings } = examination
  return (
    <>
      <Typography color="textSecondary" role="status" sx={{ mb: 1 }}>
        {ended_at ? (
          <Trans>
            Examined <Time at={ended_at} relative />
          </Trans>
        ) : (
          <Trans>
            Asked for <Time at={requested_at} relative />; a worker examines, for up to 10 minutes.
          </Trans>
        )}
      </Typography>
      <List aria-label={t`Findings`}>
        {findings
          .toSorted((a, b) => ORDER.indexOf(stateOf(a)) - ORDER.indexOf(stateOf(b)))
          .map((finding, at) => (
            <Row key={at} finding={finding} />
          ))}
      </List>
    </>
  )
}

type State = Finding['state'] | 'note'

/** What an installation may do without is neither wrong nor in order. */
const NOTES: readonly (string | null)[] = ['scanner_off', 'backup_none'] satisfies FindingCode[]

const stateOf = ({ state, code }: Finding): State => (NOTES.includes(code) ? 'note' : state)

const ORDER: State[] = ['error', 'warning', 'note', 'ok']

const STATES: Record<
  State,
  { icon: LucideIcon; color: 'error' | 'warning' | 'info' | 'success'; word: MessageDescriptor }
> = {
  error: { icon: CircleX, color: 'error', word: msg`Error` },
  warning: { icon: TriangleAlert, color: 'warning', word: msg`Warning` },
  note: { icon: Info, color: 'info', word: msg`Note` },
  ok: { icon: CircleCheck, color: 'success', word: msg`In order` },
}

const CHECKS: Record<Finding['check'], MessageDescriptor> = {
  settings: msg`Settings`,
  database: msg`Database`,
  content: msg`Content`,
  queue: msg`Queue`,
  audit: msg`Audit trails`,
  mail: msg`Mails`,
  scanner: msg`Scanner`,
  converter: msg`Converter`,
  backup: msg`Backups`,
  node: msg`Node`,
}

function Row({ finding }: { finding: Finding }) {
  const { check } = finding
  const { lang, message, advice } = findingInWords(finding)
  const { icon: Icon, color, word } = STATES[stateOf(finding)]
  return (
    <li>
      <Typography component="span" color={color} sx={{ display: 'inline-flex', pt: '2px' }}>
        <Icon size={17} aria-hidden />
        <VisuallyHidden>{i18n._(word)}</VisuallyHidden>
      </Typography>
      <div>
        <Typography variant="caption" color="textSecondary" component="p">
          {i18n._(known(CHECKS, check, msg`Another check`))}
        </Typography>
        <Typography lang={lang}>{message}</Typography>
        {advice && (
          <Typography lang={lang} color="textSecondary">
            {advice}
          </Typography>
        )}
      </div>
    </li>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  li: { display: 'flex', gap: 12, padding: '8px 0' },
  'li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  'li > div': { minWidth: 0, overflowWrap: 'anywhere' },
}))
