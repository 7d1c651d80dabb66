import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Search } from 'lucide-react'
import { lazy, Suspense, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { useWorkspaceId } from '../workspace.ts'
import { useFileSearch, type Hit } from './use-file-search.ts'
import { useSlash } from './use-slash.ts'

const loadHits = () => import('./search-hits.tsx')
const SearchHits = lazy(async () => ({ default: (await loadHits()).SearchHits }))

/** Number of lines that Page Down moves. */
const PAGE = 6

/** Finds files while the user types; Enter opens the chosen file, or all results if none is chosen. */
export function FileSearch() {
  const workspaceId = useWorkspaceId()
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation() as { pathname: string; search: string; state: object | null }
  const onResults = pathname === `${paths.workspace(workspaceId)}/search`
  const asked = onResults ? (new URLSearchParams(search).get('q') ?? '') : undefined
  const [text, setText] = useState(asked ?? '')
  const [seen, setSeen] = useState(asked)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const { q, hits, searched, failure } = useFileSearch(workspaceId, text)
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  useSlash(input)
  // Back and Forward may lead to another search.
  if (asked !== seen) {
    setSeen(asked)
    if (asked !== undefined) setText(asked)
  }

  const shown = open && q !== ''
  const type = (value: string) => {
    setText(value)
    setChosen(-1)
    setOpen(true)
  }
  const go = (hit: Hit | undefined) => {
    setOpen(false)
    input.current?.blur()
    if (hit) void navigate(paths.view(workspaceId, hit.id, { find: text.trim() }), { state: { opened: hit.id } })
    // Escape leads from the results back to `from`.
    else
      void navigate(paths.search(workspaceId, text.trim()), { state: onResults ? state : { from: pathname + search } })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }[event.key]
    if (step !== undefined && shown) {
      event.preventDefault()
      setChosen((before) => Math.max(-1, Math.min(hits.length - 1, before + step)))
    } else if (event.key === 'Enter' && text.trim() !== '') go(shown ? hits[chosen] : undefined)
    else if (event.key === 'Escape') (shown ? setOpen : () => input.current?.blur())(false)
  }
  return (
    <Field onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setOpen(false)}>
      <Search size={16} aria-hidden />
      <input
        ref={input}
        role="combobox"
        type="text"
        autoComplete="off"
        spellCheck={false}
        aria-label={t`Search files`}
        aria-keyshortcuts="/"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={listId}
        aria-activedescendant={shown && chosen >= 0 ? `${listId}-${chosen}` : undefined}
        placeholder={t`Search files`}
        value={text}
        onChange={(event) => type(event.target.value)}
        onFocus={() => {
          setOpen(true)
          void loadHits().catch(() => undefined)
        }}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden>/</kbd>
      <Suspense>
        {shown && (
          <SearchHits
            id={listId}
            hits={hits}
            chosen={chosen}
            status={failure ?? (searched && hits.length === 0 ? t`Nothing matches “${q}”` : undefined)}
            onChoose={go}
            onAll={() => go(undefined)}
          />
        )}
      </Suspense>
    </Field>
  )
}

const Field = styled('div')(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  flex: '0 1 460px',
  minWidth: 0,
  height: 34,
  padding: '0 10px',
  borderRadius: 8,
  border: `1px solid ${theme.vars.palette.divider}`,
  background: theme.vars.palette.background.default,
  color: theme.vars.palette.text.secondary,
  '& > svg': { flexShrink: 0 },
  '& > input': {
    flex: 1,
    minWidth: 0,
    height: '100%',
    padding: 0,
    border: 0,
    outline: 'none',
    background: 'none',
    color: theme.vars.palette.text.primary,
    font: 'inherit',
    fontSize: '0.8125rem',
  },
  '& > input::placeholder': { color: theme.vars.palette.text.secondary, opacity: 1 },
  '& > kbd': { font: 'inherit', fontSize: 12 },
  '&:focus-within': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -1 },
  '&:focus-within > kbd': { visibility: 'hidden' },
  // On a phone the field is a button that widens across the bar on focus.
  [theme.breakpoints.down('sm')]: {
    flex: '0 0 36px',
    padding: '0 9px',
    overflow: 'hidden',
    borderColor: 'transparent',
    background: 'none',
    color: theme.vars.palette.text.primary,
    '& > kbd': { display: 'none' },
    '& > input': { position: 'absolute', inset: 0, padding: '0 12px 0 34px' },
    '&:not(:focus-within) > input': { opacity: 0 },
    '&:focus-within': {
      position: 'absolute',
      insetInline: 12,
      zIndex: 1,
      overflow: 'visible',
      background: theme.vars.palette.background.default,
    },
  },
}))
