import { t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import { CaseSensitive, ChevronDown, ChevronUp, Search, TextSearch, WholeWord, X, type LucideIcon } from 'lucide-react'
import { useEffect } from 'react'
import { useScreen } from '../../../shared/listing/use-screen.ts'
import { UNPRINTED } from '../../../ui/print.ts'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { number } from '../../../ui/words/format.ts'
import { useFindCommands, useFinding } from './find-owner.tsx'
import { indexOf } from './hits.ts'

/** The field, the count of hits and the ways from one to the next. Floats over the pages; on a phone stands above them. */
export function FindBar() {
  const { isOpen } = useFinding()
  return isOpen && <Bar />
}

function Bar() {
  const { phone } = useScreen()
  const { close, step } = useFindCommands()
  const { count } = useFinding().found
  const tool = (label: string, icon: LucideIcon, run: () => void) => (
    <Tool label={label} icon={icon} large={phone} disabled={run !== close && count === 0} run={run} />
  )
  return (
    <Sheet
      role="search"
      aria-label={t`Find in the document`}
      elevation={phone ? 0 : 6}
      square={phone}
      className={`${phone ? 'phone' : ''} ${UNPRINTED}`}
    >
      <Field />
      {tool(t`Previous hit`, ChevronUp, () => step(-1))}
      {tool(t`Next hit`, ChevronDown, () => step(1))}
      {!phone && <Ways />}
      {tool(t`End the search`, X, close)}
    </Sheet>
  )
}

function Field() {
  const { typed, input, isTyped } = useFinding()
  const { type, enter } = useFindCommands()
  useEffect(() => {
    if (!isTyped || document.activeElement === input.current) return
    input.current?.focus()
    input.current?.select()
  }, [input, isTyped])
  return (
    <Frame>
      <Search size={16} aria-hidden />
      <input
        ref={input}
        type="text"
        aria-label={t`Find in the document`}
        placeholder={t`Find in the document`}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={500}
        value={typed.q}
        onChange={({ target }) => type({ q: target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          enter(event.shiftKey ? -1 : 1)
        }}
      />
      <Count />
    </Frame>
  )
}

function Count() {
  const { typed, found } = useFinding()
  const words = useCountWords()
  if (found.failure !== undefined) {
    return (
      <span className="failure" role="alert" title={found.failure}>
        {found.failure}
      </span>
    )
  }
  if (typed.q.trim() === '') return null
  return (
    <>
      <span className="count" aria-hidden>
        {words.shown}
      </span>
      <VisuallyHidden role="status">{words.said ?? words.shown}</VisuallyHidden>
    </>
  )
}

/** The place of the current hit is told only when no hit before it may be missing. */
function useCountWords(): { shown: string; said?: string } {
  const { found, current } = useFinding()
  const { pages, count, isComplete, isPartial } = found
  const total = number(count)
  if (!isComplete) return { shown: count === 0 ? t`Searching` : t`${total} so far`, said: '' }
  if (count === 0) return { shown: isPartial ? t`No hits in the text that is searched` : t`No hits` }
  const page = number(current?.page ?? 0)
  const place = number((current ? indexOf(pages, current) : 0) + 1)
  if (isPartial) return { shown: t`${total} or more`, said: t`${total} hits or more, now on page ${page}` }
  return { shown: t`${place} of ${total}`, said: t`Hit ${place} of ${total}, page ${page}` }
}

/** How words are compared. */
function Ways() {
  const { typed } = useFinding()
  const { type } = useFindCommands()
  const way = (name: 'match_case' | 'whole_words' | 'each_word', label: string, icon: LucideIcon) => (
    <Tool
      label={label}
      icon={icon}
      pressed={typed[name]}
      disabled={name !== 'each_word' && typed.each_word}
      run={() => type({ [name]: !typed[name] })}
    />
  )
  return (
    <>
      {way('match_case', t`Match case`, CaseSensitive)}
      {way('whole_words', t`Whole words`, WholeWord)}
      {way('each_word', t`Each word, as the search of files finds them`, TextSearch)}
    </>
  )
}

interface ToolProps {
  label: string
  icon: LucideIcon
  run: () => void
  pressed?: boolean
  disabled?: boolean
  large?: boolean
}

function Tool({ label, icon: Icon, run, pressed, disabled = false, large = false }: ToolProps) {
  const size = large ? 44 : 32
  return (
    <IconButton
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={run}
      sx={{ width: size, height: size, bgcolor: pressed === true && !disabled ? 'selection.item' : undefined }}
    >
      <Icon size={18} />
    </IconButton>
  )
}

const Sheet = styled(Paper)(({ theme }) => ({
  position: 'absolute',
  top: 12,
  right: 32,
  zIndex: 2,
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  maxWidth: 'calc(100% - 48px)',
  padding: 8,
  border: `1px solid ${theme.vars.palette.divider}`,
  '&.phone': {
    position: 'static',
    maxWidth: 'none',
    gap: 0,
    padding: '4px 4px 4px 8px',
    border: 0,
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
})) as typeof Paper

const Frame = styled('span')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  flexShrink: 1,
  width: 272,
  minWidth: 0,
  height: 34,
  marginRight: 4,
  padding: '0 10px',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  background: theme.vars.palette.background.default,
  color: theme.vars.palette.text.secondary,
  '& > svg': { flexShrink: 0 },
  input: {
    flex: 1,
    minWidth: 0,
    width: 0,
    height: '100%',
    padding: 0,
    border: 0,
    outline: 'none',
    background: 'none',
    color: theme.vars.palette.text.primary,
    font: 'inherit',
    fontSize: '0.8125rem',
  },
  'input::placeholder': { color: theme.vars.palette.text.secondary, opacity: 1 },
  '.count, .failure': { flexShrink: 0, fontSize: '0.75rem', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '.failure': { flexShrink: 1, overflow: 'hidden', textOverflow: 'ellipsis', color: theme.vars.palette.error.main },
  '&:focus-within': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -1 },
  '.phone &': { flex: 1, width: 0, height: 40, input: { fontSize: '1rem' } },
}))
