import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { GitCompare } from 'lucide-react'
import { useId, useState } from 'react'
import { textOfPages } from '../../../../contract/endpoints/deal/terms-pdf.ts'
import { useReading } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { termsPagesQuery } from '../pdf/terms-pages.ts'
import type { Passage, Piece } from './compare.ts'
import { TookTooLong } from './took-too-long.ts'

interface Compared {
  id: number
  version: number
  text: string
  pdf: object | null
}

interface ChangesProps {
  workspaceId: number
  former: Compared
  present: Compared
}

/** Passages shown at first. */
const AT_FIRST = 50

/** Shows on request which words are gone and which are new since a former version. */
export function Changes({ workspaceId, former, present }: ChangesProps) {
  const [open, setOpen] = useState(false)
  const region = useId()
  const { version } = former
  return (
    <div style={{ display: 'grid', gap: 8, justifyItems: 'start', minWidth: 0 }}>
      <Button
        variant="outlined"
        startIcon={<GitCompare size={15} />}
        aria-expanded={open}
        aria-controls={region}
        onClick={() => setOpen(!open)}
      >
        {t`What changed since version ${version}`}
      </Button>
      <Region id={region} hidden={!open} aria-label={t`What changed since version ${version}`}>
        {open && <Comparison workspaceId={workspaceId} former={former} present={present} />}
      </Region>
    </div>
  )
}

const readable = ({ text, pdf }: Compared) => (pdf ? textOfPages(text) : text)

function Comparison({ workspaceId, former, present }: ChangesProps) {
  const [from, to] = [readable(former), readable(present)]
  const comparable = from !== '' && to !== ''
  const { data, error } = useReading({
    queryKey: ['changes', former.id, present.id],
    // An object, because a query may not give undefined.
    queryFn: async () => ({ passages: await (await import('./compare.ts')).compare(from, to) }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: comparable,
    retry: false,
  })
  const isRead = former.pdf !== null || present.pdf !== null
  if (!comparable)
    return (
      <Note>{t`No text could be read from the pages of one of the two versions, so they cannot be compared here.`}</Note>
    )
  if (error) {
    const tookTooLong = error instanceof TookTooLong
    return (
      <Note>
        {tookTooLong
          ? t`Comparing took too long on this device, so it was stopped.`
          : t`The versions could not be compared. Load the page again.`}
      </Note>
    )
  }
  if (!data) return <Note>{t`Comparing…`}</Note>
  if (!data.passages) return <Note>{t`The two versions are too different to compare.`}</Note>
  return (
    <>
      <Found passages={data.passages} isRead={isRead} />
      {isRead && <Note>{t`Compared is the text that was read from the pages, not pictures and layout.`}</Note>}
      {[former, present].map(
        (each) => each.pdf && <PagesWithoutText key={each.id} workspaceId={workspaceId} version={each} />,
      )}
    </>
  )
}

function PagesWithoutText({ workspaceId, version: { id, version } }: { workspaceId: number; version: Compared }) {
  const { data } = useReading(termsPagesQuery(workspaceId, id))
  const numbers = data?.pages.filter(({ text }) => text.trim() === '').map(({ page_number }) => page_number) ?? []
  if (numbers.length === 0) return null
  const pages = numbers.join(', ')
  return <Note>{t`Pages of version ${version} without text that could be read: ${pages}`}</Note>
}

function Found({ passages, isRead }: { passages: readonly Passage[]; isRead: boolean }) {
  const [shown, setShown] = useState(AT_FIRST)
  if (passages.length === 0)
    return <Note>{isRead ? t`The words that could be read are the same.` : t`The words are the same.`}</Note>
  return (
    <>
      <Note>
        {plural(passages.length, { one: '# passage has changed.', other: '# passages have changed.' })}{' '}
        {t`Words that are gone are struck through, new ones are underlined.`}
      </Note>
      <List>
        {passages.slice(0, shown).map((passage, place) => (
          // oxlint-disable-next-line no-array-index-key -- versions never change
          <li key={place} dir="auto">
            {passage.map((piece, at) => (
              // oxlint-disable-next-line no-array-index-key -- versions never change
              <Words key={at} piece={piece} />
            ))}
          </li>
        ))}
      </List>
      {passages.length > shown && (
        <Button onClick={() => setShown(shown + AT_FIRST)}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </>
  )
}

/** Most screen readers do not tell `ins` and `del` apart from other words. */
function Words({ piece: { kind, text } }: { piece: Piece }) {
  if (kind === 'same') return <span>{text}</span>
  if (kind === 'added') {
    return (
      <>
        <VisuallyHidden>{t({ message: 'new:', context: 'words of terms' })} </VisuallyHidden>
        <ins>{text.trim()}</ins>
        {spaceAfter(text)}
      </>
    )
  }
  return (
    <>
      <VisuallyHidden>{t({ message: 'gone:', context: 'words of terms' })} </VisuallyHidden>
      <del>{text.trim()}</del>
      {spaceAfter(text)}
    </>
  )
}

/** Outside of the mark, which would look as if the space had changed. */
const spaceAfter = (text: string) => text.slice(text.trimEnd().length) || ' '

const Note = ({ children }: { children: React.ReactNode }) => (
  <Typography variant="caption" color="textSecondary" component="p" role="status" sx={{ m: 0 }}>
    {children}
  </Typography>
)

const Region = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: 4,
  width: '100%',
  minWidth: 0,
  padding: '8px 14px',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  background: theme.vars.palette.background.paper,
  '&[hidden]': { display: 'none' },
}))

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: '0.8125rem',
  lineHeight: '21px',
  overflowWrap: 'anywhere',
  li: { padding: '8px 0', whiteSpace: 'pre-line' },
  'li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  'ins, del': { borderRadius: 3, padding: '1px 3px', boxDecorationBreak: 'clone' },
  ins: { background: `color-mix(in srgb, ${theme.vars.palette.success.main} 18%, transparent)` },
  del: { background: `color-mix(in srgb, ${theme.vars.palette.error.main} 16%, transparent)` },
}))
