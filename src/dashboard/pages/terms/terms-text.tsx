import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Chip from '@mui/material/Chip'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Printer, RefreshCw, Scale } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { dayOf } from '../../ui/words/format.ts'
import type { OwnTerms, OwnVersion } from './own-terms.ts'
import { Changes } from './changes/changes.tsx'
import { goneFrom, type Paragraph, paragraphsOf } from './paragraphs.ts'
import { PdfPages } from './pdf/pdf-pages.tsx'
import { SavePdf } from './pdf/save-pdf.tsx'
import { termsPagesQuery } from './pdf/terms-pages.ts'

export function TermsText({ own, version }: { own: OwnTerms; version: OwnVersion }) {
  const { text, title } = version
  const pages = version.pdf && termsPagesQuery(own.workspace_id, version.id)
  return (
    <Paper variant="outlined" component="article" aria-label={title}>
      <Head>
        <Tile aria-hidden>
          <Scale size={22} />
        </Tile>
        <div style={{ flex: '1 1 200px', minWidth: 0 }}>
          <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {[own.workspace_name, version.group_name].filter(Boolean).join(' · ')}
          </Typography>
        </div>
        {pages ? (
          <SavePdf query={pages} />
        ) : (
          <Button variant="outlined" startIcon={<Printer size={15} />} onClick={() => window.print()}>
            <Trans>Print</Trans>
          </Button>
        )}
      </Head>
      <Issue workspaceId={own.workspace_id} version={version} />
      {pages ? (
        <PdfPages query={pages} />
      ) : (
        <Text>
          {paragraphsOf(text, formerText(version)).map((paragraph, place) => (
            // oxlint-disable-next-line no-array-index-key -- the text never changes
            <Block key={place} paragraph={paragraph} />
          ))}
        </Text>
      )}
    </Paper>
  )
}

/** Paragraphs are compared with those of a text; those of a PDF end at any line. */
const formerText = ({ pdf, former }: OwnVersion) => (pdf || former?.pdf ? undefined : former?.text)

function Issue({ workspaceId, version: each }: { workspaceId: number; version: OwnVersion }) {
  const { version, issued_at, former, text } = each
  const issued = dayOf(issued_at)
  if (!former) {
    return (
      <Strip>
        <Trans>
          Version {version} of {issued}
        </Trans>
      </Strip>
    )
  }
  const accepted = dayOf(former.accepted_at)
  const { version: number } = former
  const before = formerText(each)
  const gone = before === undefined ? 0 : goneFrom(text, before)
  return (
    <Strip className="changed">
      <RefreshCw size={15} aria-hidden />
      <div style={{ display: 'grid', gap: 8, flex: 1, minWidth: 0 }}>
        <span>
          <strong>{t`Version ${version} of ${issued}.`}</strong>{' '}
          {before === undefined
            ? t`You accepted version ${number} on ${accepted}.`
            : t`You accepted version ${number} on ${accepted}. What is new or has changed is marked.`}{' '}
          {gone > 0 &&
            plural(gone, {
              one: '# paragraph of before is gone or has changed.',
              other: '# paragraphs of before are gone or have changed.',
            })}
        </span>
        <Changes workspaceId={workspaceId} former={former} present={each} />
      </div>
    </Strip>
  )
}

function Block({ paragraph: { heading, text, isNew } }: { paragraph: Paragraph }) {
  return (
    <section className={isNew ? 'new' : undefined}>
      {heading !== undefined && (
        <h2>
          {heading} {isNew && <New />}
        </h2>
      )}
      {text !== '' && (
        <p>
          {text} {isNew && heading === undefined && <New />}
        </p>
      )}
    </section>
  )
}

const New = () => (
  <Chip size="small" color="primary" variant="outlined" label={t({ message: 'New', context: 'paragraph' })} />
)

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 14,
  padding: '22px 32px',
  [theme.breakpoints.down('sm')]: { padding: 16 },
}))

const Tile = styled('span')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  width: 44,
  height: 44,
  flex: 'none',
  borderRadius: 10,
  background: theme.vars.palette.rail.main,
  color: '#fff',
}))

const Strip = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'flex-start',
  gap: 10,
  padding: '9px 32px',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  fontSize: '0.8125rem',
  color: theme.vars.palette.text.secondary,
  '&.changed': {
    color: theme.vars.palette.text.primary,
    background: `color-mix(in srgb, ${theme.vars.palette.warning.main} 14%, transparent)`,
  },
  '> svg': { flex: 'none', marginTop: 3, color: theme.vars.palette.warning.main },
  [theme.breakpoints.down('sm')]: { padding: '9px 16px' },
}))

const Text = styled('div')(({ theme }) => ({
  padding: '14px 32px 28px',
  fontSize: '0.875rem',
  lineHeight: '23px',
  overflowWrap: 'anywhere',
  section: { margin: '0 -14px', padding: '9px 14px', borderLeft: '3px solid transparent', borderRadius: 6 },
  '.new': { background: theme.vars.palette.selection.row, borderLeftColor: theme.vars.palette.primary.main },
  h2: { margin: 0, fontSize: '0.875rem', fontWeight: 650 },
  p: { margin: 0, whiteSpace: 'pre-line' },
  [theme.breakpoints.down('sm')]: { padding: '8px 16px 18px' },
}))
