import { plural, t } from '@lingui/core/macro'
import Dialog from '@mui/material/Dialog'
import { styled } from '@mui/material/styles'
import { CornerDownLeft, Search } from 'lucide-react'
import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { shortcutText } from '../actions/shortcut.ts'
import { useMe } from '../session.ts'
import { giveBackKeyboard, useEarly } from './palette-state.ts'
import { remember } from './recent.ts'
import { useChoices, type Choice } from './use-choices.ts'

/** Finds every action and place by a few letters. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const early = useEarly()
  const [typedHere, setTyped] = useState<string>()
  const typed = typedHere ?? early.text
  /** An id, because lines that arrive later may move above the active line. Undefined stands for the first line. */
  const [activeId, setActiveId] = useState<string>()
  /** Enter was pressed before there was a line to run. */
  const [hastyHere, setHasty] = useState<boolean>()
  const hasty = hastyHere ?? early.enter
  const [chosen, setChosen] = useState<Choice>()
  const { choices, settled, failure } = useChoices(typed)
  const run = useRun()
  const listId = useId()
  const q = typed.trim()
  const active = Math.max(
    0,
    choices.findIndex(({ id }) => id === activeId),
  )
  const nothing = choices.length > 0 || !settled ? '' : t`Nothing matches “${q}”`
  const status = failure ?? nothing
  if (hasty && settled) {
    setHasty(false)
    setChosen(choices[active])
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 8, PageUp: active - 8 }[event.key]
    if (event.key === 'Enter') {
      setChosen(choices[active])
      setHasty(!choices[active])
    } else if (next === undefined) return
    else setActiveId(choices[wrapped(next, choices.length, event.key.startsWith('Page'))]?.id)
    event.preventDefault()
  }
  useEffect(() => giveBackKeyboard, [])
  return (
    <Dialog
      open={chosen === undefined}
      onClose={onClose}
      maxWidth="sm"
      transitionDuration={0}
      slotProps={{
        // The dialog gives back the focus before the choice runs, which may move the focus itself.
        transition: { onExited: () => (onClose(), chosen && run(chosen)) },
        paper: {
          'aria-label': t`Commands`,
          sx: { position: 'fixed', top: '12vh', m: 0, width: 'min(600px, 100vw - 32px)', maxHeight: '70vh' },
        },
      }}
    >
      <Field>
        <Search size={18} aria-hidden />
        <input
          // The user opens the dialog in order to type.
          autoFocus
          role="combobox"
          aria-label={t`Type a command or a name`}
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={choices[active] && `${listId}-${active}`}
          placeholder={t`Type a command or a name`}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setActiveId(undefined)
            setHasty(false)
          }}
          onKeyDown={onKeyDown}
        />
      </Field>
      <VisuallyHidden role="status">
        {status || plural(choices.length, { one: '# found', other: '# found' })}
      </VisuallyHidden>
      <Choices id={listId} choices={choices} active={active} onChoose={setChosen} />
      {status && <Nothing>{status}</Nothing>}
    </Dialog>
  )
}

function wrapped(next: number, length: number, isPage: boolean): number {
  if (length === 0) return 0
  return isPage ? Math.min(length - 1, Math.max(0, next)) : (next + length) % length
}

function useRun() {
  const navigate = useNavigate()
  const { id: userId } = useMe()
  return (choice: Choice) => {
    remember(userId, { ...choice, to: choice.lastingTo ?? choice.to, id: choice.id.replace(/^recent-/, '') })
    if (choice.to === undefined) choice.run?.()
    else void navigate(choice.to)
  }
}

interface ChoicesProps {
  id: string
  choices: readonly Choice[]
  active: number
  onChoose: (choice: Choice) => void
}

function Choices({ id, choices, active, onChoose }: ChoicesProps) {
  useEffect(() => {
    document.querySelector(`#${CSS.escape(`${id}-${active}`)}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <List id={id} role="listbox" aria-label={t`Commands`}>
      {choices.map((choice, index) => {
        const { group, label, hint, icon: Icon, shortcut } = choice
        const isFirst = choices[index - 1]?.group !== group
        return [
          isFirst && (
            <div key={`${group}-${index}`} className="group" role="presentation">
              {group}
            </div>
          ),
          // The field handles the keys of its options (combobox pattern).
          // oxlint-disable-next-line click-events-have-key-events
          <div
            key={choice.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="choice"
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(choice)}
          >
            <Icon size={16} aria-hidden />
            <span className="label">{label}</span>
            <span className="hint">{hint}</span>
            {shortcut && <kbd aria-hidden>{shortcutText(shortcut)}</kbd>}
            {index === active && <CornerDownLeft size={14} aria-hidden />}
          </div>,
        ]
      })}
    </List>
  )
}

const Field = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  flexShrink: 0,
  height: 52,
  padding: '0 16px',
  color: theme.vars.palette.text.secondary,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  input: {
    flex: 1,
    minWidth: 0,
    height: '100%',
    padding: 0,
    border: 0,
    outline: 'none',
    background: 'none',
    font: 'inherit',
    fontSize: '0.9375rem',
    color: theme.vars.palette.text.primary,
  },
  'input::placeholder': { color: theme.vars.palette.text.secondary, opacity: 1 },
}))

const List = styled('div')(({ theme }) => ({
  overflow: 'auto',
  padding: 6,
  overscrollBehavior: 'contain',
  '.group': {
    padding: '8px 10px 4px',
    fontSize: '0.75rem',
    fontWeight: 580,
    color: theme.vars.palette.text.secondary,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  '.choice': {
    display: 'flex',
    alignItems: 'center',
    gap: 10,
    height: 36,
    padding: '0 10px',
    borderRadius: 8,
    cursor: 'pointer',
  },
  '.choice > svg': { flexShrink: 0 },
  '.choice:hover': { background: theme.vars.palette.selection.row },
  '.choice[aria-selected="true"]': { background: theme.vars.palette.selection.item },
  '.label': { flexShrink: 0, maxWidth: '70%', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '.hint': {
    flex: 1,
    minWidth: 0,
    textAlign: 'right',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontSize: '0.75rem',
    color: theme.vars.palette.text.secondary,
  },
  kbd: { font: 'inherit', fontSize: '0.75rem', color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('sm')]: { '.choice': { height: 44 }, kbd: { display: 'none' } },
}))

const Nothing = styled('p')(({ theme }) => ({
  margin: 0,
  padding: '12px 20px 24px',
  textAlign: 'center',
  color: theme.vars.palette.text.secondary,
}))
