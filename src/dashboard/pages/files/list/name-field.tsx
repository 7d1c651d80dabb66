import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { lazy, Suspense, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { Entry } from '../../../shared/listing/entries.ts'

// Loaded on demand: most names are accepted.
const NameRefusal = lazy(async () => ({ default: (await import('../change/name-refusal.tsx')).NameRefusal }))

interface NameFieldProps {
  entry: Entry
  /** The entries of the folder: a name that one of them has is stored only at the second time. */
  others: readonly Entry[]
  /** Why the name was refused; the field stays open with the typed name. */
  error: string | undefined
  pending: boolean
  onSave: (name: string) => void
  onCancel: () => void
}

/** Edits a name in place. Enter and leaving the field save it; Escape cancels. */
export function NameField({ entry, others, error, pending, onSave, onCancel }: NameFieldProps) {
  const before = entry.name
  const [name, setName] = useState(before)
  const [doubted, setDoubted] = useState<string>()
  const over = useRef(false)
  const errorId = useId()
  const [field, setField] = useState<HTMLElement | null>(null)
  const cancel = () => {
    over.current = true
    onCancel()
  }
  const wanted = withExtension(name.trim(), entry)
  const isDoubted = wanted === doubted
  const isRefused = error !== undefined || isDoubted
  const save = () => {
    if (over.current || pending) return
    if (wanted === '' || wanted === before) cancel()
    else if (!isDoubted && others.some(({ kind, name: taken }) => kind === entry.kind && taken === wanted))
      setDoubted(wanted)
    else onSave(wanted)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Enter') save()
    if (event.key === 'Escape') cancel()
  }
  return (
    <>
      <Input
        ref={setField}
        className={isRefused ? 'refused' : ''}
        value={name}
        autoFocus
        aria-label={t`New name of ${before}`}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? errorId : undefined}
        spellCheck={false}
        maxLength={255}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => !isRefused && save()}
        onFocus={({ target }) => target.setSelectionRange(0, lengthOfStem(entry))}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
      />
      <Suspense>{isRefused && <NameRefusal id={errorId} at={field} reason={error} />}</Suspense>
    </>
  )
}

const Input = styled('input')(({ theme }) => {
  const ring = (colour: string) => `inset 0 0 0 2px ${colour}`
  return {
    flex: 1,
    minWidth: 0,
    height: 28,
    margin: '0 -9px',
    padding: '0 8px',
    border: 0,
    borderRadius: 8,
    outline: 'none',
    font: 'inherit',
    fontWeight: 500,
    color: theme.vars.palette.text.primary,
    background: theme.vars.palette.background.paper,
    boxShadow: ring(theme.vars.palette.primary.main),
    '&.refused': { boxShadow: ring(theme.vars.palette.error.main) },
  }
})

/** A file keeps its extension, once, unless another one was typed. */
function withExtension(wanted: string, entry: Entry): string {
  const extension = entry.name.slice(lengthOfStem(entry))
  if (wanted === '' || !EXTENSION.test(extension)) return wanted
  if (wanted.toLowerCase().endsWith((extension + extension).toLowerCase())) return wanted.slice(0, -extension.length)
  return EXTENSION.test(wanted) ? wanted : wanted + extension
}

/** With a letter: “Minutes 4.7” has none. */
const EXTENSION = /\.(?=\w*[a-z])\w{1,5}$/i

/** Length of the initial selection: the name without its extension. */
function lengthOfStem({ kind, name }: Entry): number {
  const dot = name.lastIndexOf('.')
  return kind === 'file' && dot > 0 ? dot : name.length
}
