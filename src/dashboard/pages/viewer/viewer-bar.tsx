import { i18n } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Check, ChevronDown, createLucideIcon, EllipsisVertical } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { ActionMenu } from '../../shared/actions/action-menu.tsx'
import { withoutNumber } from '../../../contract/outline/outline.ts'
import { FileIcon } from '../../shared/file-icon.tsx'
import { useQuestions } from '../../shared/frame/use-questions.ts'
import { sealedWords } from '../../shared/sealed-copies/sealed-words.ts'
import { TWO_LINES } from '../../ui/words/two-lines.ts'
import { UNPRINTED } from '../../ui/print.ts'
import { SIZES } from '../../theme.ts'
import { ActionButton, ActionButtons } from './action-buttons.tsx'
import type { Zoom } from './pages/page-layout.ts'
import { PageField } from './pages/page-field.tsx'
import { viewActionsAt, viewActionsOf, type ViewAction } from './viewer-actions.ts'
import { useScreen } from '../../shared/listing/use-screen.ts'
import { useViewedFile } from './viewed-file.tsx'
import { useViewerCommands } from './viewer-commands.tsx'
import { useSituation } from './viewer-sight.tsx'
import { below } from '../../ui/menu-point.ts'
import { withTexts } from '../../ui/words/language.ts'

const QuestionsOn = lazy(
  withTexts('deal', async () => ({ default: (await import('../../shared/asking/questions-on.tsx')).QuestionsOn })),
)

/** The file, its pages, their size and the actions. */
export function ViewerBar() {
  const { shown, document, error, settled } = useViewedFile()
  const { phone, treeFolded } = useScreen()
  if (phone) {
    return (
      <Bar className={`phone ${UNPRINTED}`}>
        <ActionButtons place="frame" large />
        <FileTitle />
        <PhoneFind />
        <MoreMenu />
      </Bar>
    )
  }
  // All tools appear together, so that none moves.
  const isKnown = error !== null || (document !== undefined && settled)
  return (
    <Bar className={UNPRINTED}>
      <Part>
        <ActionButtons place="frame" />
        <ActionButtons place="file" />
      </Part>
      <FileTitle />
      {isKnown && shown && <PageTools />}
      {isKnown && (treeFolded ? <MoreMenu /> : <WideTools />)}
    </Bar>
  )
}

function PhoneFind() {
  const { shown, mayFind } = useSituation()
  return shown && mayFind && <ActionButtons place="find" large />
}

function FileTitle() {
  const { file, shownVersion, shown, pages } = useViewedFile()
  if (!file) return <span style={{ flex: 1 }} />
  const facts = [t`Version ${shownVersion}`, shown && plural(pages, { one: '# page', other: '# pages' })].filter(
    Boolean,
  )
  return (
    <Title>
      <FileIcon kind={file.kind} size={20} />
      <span className="outline">{file.outline}</span>
      <div style={{ minWidth: 0 }}>
        <Typography
          variant="h2"
          component="h1"
          title={file.title}
          sx={{ ...TWO_LINES, fontSize: '0.875rem', lineHeight: 1.2 }}
        >
          {withoutNumber(file.title, file.outline, file.number_length)}
        </Typography>
        <Typography variant="caption" color="textSecondary" noWrap sx={{ display: 'block', lineHeight: 1.3 }}>
          {facts.join(' · ')}
          <Questions />
        </Typography>
      </div>
    </Title>
  )
}

/** Those of a version that is shown, so that they come after its pages. */
function Questions() {
  const { workspace, key, shown } = useViewedFile()
  const { id, admin, seenAs } = workspace
  const isAsked = useQuestions(workspace)?.shown ?? admin
  if (!shown || !isAsked || seenAs) return null
  return (
    <Suspense>
      <QuestionsOn workspaceId={id} fileId={key.fileId} after=" · " />
    </Suspense>
  )
}

function PageTools() {
  const { page, pages } = useSituation()
  const { commands } = useViewerCommands()
  return (
    <>
      <Part>
        <ActionButtons place="pages" />
        <PageField page={page} pages={pages} onGo={commands.goTo} />
      </Part>
      <Part>
        <ZoomTools />
      </Part>
    </>
  )
}

/** Keeps the space that other menu lines use for an icon. */
const Blank = createLucideIcon('blank', [])

const SCALES = [0.5, 0.75, 1.25, 1.5, 2, 3, 4]

function percentLabel(scale: number) {
  const percent = scale * 100
  return msg`${percent} %`
}

function ZoomTools() {
  const [at, setAt] = useState<{ left: number; top: number }>()
  const situation = useSituation()
  const { commands } = useViewerCommands()
  const scales = SCALES.map((scale) => ({
    id: `${scale}`,
    label: percentLabel(scale),
    icon: scale === situation.scale ? Check : Blank,
    scale,
  }))
  const fits = viewActionsAt('fit', situation)
  const percent = Math.round(situation.scale * 100)
  const shown = fitWords(situation.zoom, situation.fillsWidth) ?? t`${percent} %`
  return (
    <>
      <ActionButtons place="zoom" />
      <Button
        color="inherit"
        aria-haspopup="menu"
        aria-label={t`Zoom: ${shown}`}
        title={t`${percent} %`}
        endIcon={<ChevronDown size={14} />}
        onClick={({ currentTarget }) => setAt(below(currentTarget))}
        sx={{ minWidth: 84, fontVariantNumeric: 'tabular-nums' }}
      >
        {shown}
      </Button>
      <ActionMenu
        at={at}
        label={t`Zoom`}
        withShortcuts
        actions={[...fits, ...scales]}
        onClose={() => setAt(undefined)}
        onRun={(chosen) => {
          if ('scale' in chosen) commands.zoom(chosen.scale)
          else chosen.run(commands, undefined)
        }}
      />
    </>
  )
}

function fitWords(zoom: Zoom, fillsWidth: boolean): string | undefined {
  if (zoom === 'page') return t`Fit page`
  return zoom === 'width' || (zoom === 'auto' && fillsWidth) ? t`Fit width` : undefined
}

function WideTools() {
  const situation = useSituation()
  const { commands } = useViewerCommands()
  const run = (action: ViewAction) => action.run(commands, undefined)
  return (
    <Part>
      {viewActionsAt('tools', situation).map((action) => (
        <ActionButton key={action.id} action={action} />
      ))}
      {viewActionsAt('main', situation).map((action) => (
        <Button
          key={action.id}
          variant="contained"
          startIcon={<action.icon size={16} />}
          title={action.id === 'download-sealed' ? sealedWords() : undefined}
          onClick={() => run(action)}
          sx={{ ml: 0.5 }}
        >
          {i18n._(action.label)}
        </Button>
      ))}
    </Part>
  )
}

function MoreMenu() {
  const situation = useSituation()
  const { commands } = useViewerCommands()
  const { phone, touch } = useScreen()
  const [at, setAt] = useState<{ left: number; top: number }>()
  const places = phone ? (['main', 'fit', 'zoom', 'tools'] as const) : (['main', 'tools'] as const)
  const actions = places.flatMap((place) => viewActionsAt(place, situation))
  if (actions.length === 0) return null
  const size = phone ? 48 : 32
  return (
    <>
      <IconButton
        aria-label={t`More`}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => setAt(below(currentTarget))}
        sx={{ width: size, height: size }}
      >
        <EllipsisVertical size={20} />
      </IconButton>
      <ActionMenu
        at={at}
        label={t`More`}
        withShortcuts={!touch}
        actions={actions}
        onClose={() => setAt(undefined)}
        onRun={(action) => action.run(commands, undefined)}
      />
    </>
  )
}

/** On phones this bar is at the bottom, within reach of the thumb. */
export function PhoneBar() {
  const { shown, page, pages } = useSituation()
  const [previousFile, nextFile] = viewActionsOf('file')
  const [previousPage, nextPage] = viewActionsOf('pages')
  const button = (action: ViewAction | undefined) => action && <ActionButton action={action} large />
  return (
    <Bar as="footer" className={`phone bottom ${UNPRINTED}`}>
      {button(previousFile)}
      {button(previousPage)}
      <span className="pages" role="status">
        {shown && t`${page} of ${pages}`}
      </span>
      {button(nextPage)}
      {button(nextFile)}
    </Bar>
  )
}

const Bar = styled('header')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  height: SIZES.bar,
  flexShrink: 0,
  padding: '0 12px',
  background: theme.vars.palette.background.paper,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '&.phone': { height: 56, padding: '0 4px', gap: 4 },
  '&.bottom': {
    justifyContent: 'space-between',
    borderBottom: 0,
    borderTop: `1px solid ${theme.vars.palette.divider}`,
    paddingBottom: 'env(safe-area-inset-bottom)',
    boxSizing: 'content-box',
  },
  '.outline, .pages': { color: theme.vars.palette.text.secondary },
}))

const Part = styled('div')({ display: 'flex', alignItems: 'center', gap: 2, flexShrink: 0 })

const Title = styled('div')({ display: 'flex', alignItems: 'center', gap: 10, flex: 1, minWidth: 0 })
