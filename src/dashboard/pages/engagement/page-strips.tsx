import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { heatSteps } from './colours.ts'
import { duration } from '../../ui/words/duration.ts'
import type { FileEngagement } from './engaged.ts'
import { dropOffOf, namedPages, type Span, spansOf, stepOf } from '../../../contract/engagement/page-times.ts'

interface PageStripsProps {
  groups: FileEngagement['groups']
  pages: number
}

/** A strip of pages for each group: stronger where a reader stayed longer, and a mark where most readers stop. */
export function PageStrips({ groups, pages }: PageStripsProps) {
  const strips = groups.map((group) => ({ group, spans: spansOf(group, pages), dropOff: dropOffOf(group, pages) }))
  const most = Math.max(0, ...strips.flatMap(({ spans }) => spans.map(({ ms }) => ms)))
  return (
    <Strips>
      <header>
        <Typography variant="h3">{t`By page`}</Typography>
        <small>
          {t`stronger: longer per reader`} · <i className="mark" /> {t`where readers stop`}
        </small>
      </header>
      {strips.map(({ group, spans, dropOff }) => (
        <div key={group.group_id} className="strip">
          <b title={group.name}>{group.name}</b>
          <div role="img" aria-label={wordsFor(group.name, spans)}>
            {spans.map((span) => (
              <span
                key={span.first}
                title={`${pagesOf(span)}: ${duration(span.ms)}`}
                className={`page step-${span.ms > 0 ? stepOf(span.ms, most) : 'none'}${endsIn(span, dropOff)}`}
              />
            ))}
          </div>
        </div>
      ))}
      <div className="strip axis" aria-hidden>
        <b />
        <div>
          {namedPages(pages).map((page) => (
            <span key={page} style={{ left: `${((page - 0.5) / pages) * 100}%` }}>
              {page}
            </span>
          ))}
        </div>
      </div>
    </Strips>
  )
}

function endsIn({ first, last }: Span, dropOff: ReturnType<typeof dropOffOf>): string {
  if (!dropOff || dropOff.page < first || dropOff.page > last) return ''
  return dropOff.isEnd ? ' stop-all' : ' stop-some'
}

function pagesOf({ first, last }: Span): string {
  return first === last ? t`Page ${first}` : t`Pages ${first}–${last}`
}

function wordsFor(name: string, spans: readonly Span[]): string {
  const read = spans.filter(({ ms }) => ms > 0).length
  const all = spans.length
  return t`${name}: time on ${read} of ${all} parts of the document`
}

const Strips = styled('div')(({ theme }) => {
  const { text, divider, warning, error } = theme.vars.palette
  return {
    marginTop: 12,
    header: { display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 4, marginBottom: 6 },
    small: { color: text.secondary, fontSize: '0.75rem' },
    '.mark': { display: 'inline-block', width: 2, height: 12, verticalAlign: -2, background: warning.main },
    '.strip': { display: 'grid', gridTemplateColumns: '86px minmax(0, 1fr)', alignItems: 'center', gap: 8, height: 30 },
    b: { fontSize: '0.75rem', fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '.strip > div': { display: 'flex', gap: 1, height: 22 },
    '.page': { flex: 1, minWidth: 0, borderRadius: 2, position: 'relative' },
    ...heatSteps(theme),
    '.step-none': { boxShadow: `inset 0 0 0 1px ${divider}` },
    '.stop-some::after, .stop-all::after': {
      content: '""',
      position: 'absolute',
      inset: '-2px -1px -2px auto',
      width: 2,
      background: warning.main,
    },
    '.stop-all::after': { background: error.main },
    '.axis': { height: 18, color: text.secondary, fontSize: '0.6875rem' },
    '.axis > div': { position: 'relative' },
    '.axis span': { position: 'absolute', transform: 'translateX(-50%)' },
  }
})
