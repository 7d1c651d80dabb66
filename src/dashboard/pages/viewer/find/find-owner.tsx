import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { createStore } from '../../../ui/store.ts'
import { useLatest } from '../../../ui/use-latest.ts'
import { useLooking } from '../viewer-sight.tsx'
import { useFindInUrl } from '../use-viewer-url.ts'
import { useViewedFile } from '../viewed-file.tsx'
import { boxesOf, NO_QUESTION, NOTHING, stepFrom, type FindQuestion, type Found, type Hit } from './hits.ts'
import { useFindKeys } from './use-find-keys.ts'
import { useHits } from './use-hits.ts'

interface Finding {
  isOpen: boolean
  /** The user opened the bar in order to type, unlike a link that brings its search along. */
  isTyped: boolean
  /** What stands in the field; it is searched after a pause. */
  typed: FindQuestion
  found: Found
  current: Hit | undefined
  input: RefObject<HTMLInputElement | null>
}

interface FindCommands {
  toggle: () => void
  /** Opens the bar, or goes to its field. */
  open: () => void
  close: () => void
  type: (change: Partial<FindQuestion>) => void
  /** Searches what is typed, or goes to the next or previous hit. */
  enter: (step: 1 | -1) => void
  step: (step: 1 | -1) => void
}

const [FindingStore, useFinding] = createStore<Finding>('finding')
const [FindCommandsStore, useFindCommands] = createStore<FindCommands>('find-commands')
export { useFindCommands, useFinding }

/** A search begins after the user has not typed for this long, in milliseconds. */
const PAUSE = 150

/** Owns the search in the document: its question, its hits, and which of them is the current one. */
export function FindOwner({ children }: { children: ReactNode }) {
  const { shownKey, url, document, shown } = useViewedFile()
  const { endFind } = url
  const { pageInView, showPart, focusPages } = useLooking()
  const mayFind = shown && document !== undefined && document.text_layer !== 'none'
  const [asked, setAsked] = useState<'typed' | 'linked'>()
  const [typed, setTyped] = useState(NO_QUESTION)
  const question = useSettable(typed)
  const linked = useFindInUrl()
  const [seen, setSeen] = useState<string>()
  if (linked !== seen) {
    setSeen(linked)
    if (linked !== undefined) {
      const next = { ...NO_QUESTION, q: linked, each_word: true }
      setAsked('linked')
      setTyped(next)
      question.set(next)
    }
  }
  const [current, setCurrent] = useState<{ hit: Hit; of: FindQuestion }>()
  const input = useRef<HTMLInputElement>(null)

  const go = ({ pages }: Found, step: 1 | -1, from?: Hit) => {
    const hit = stepFrom(pages, from, step)
    const [box] = hit ? boxesOf(pages, hit) : []
    if (!hit || !box) return
    setCurrent({ hit, of: question.value })
    showPart(hit.page, box)
  }
  const found = useHits({
    file: asked && mayFind ? shownKey : undefined,
    question: question.value,
    start: pageInView,
    onFirst: (first) => go(first, 1),
  })
  // A search may have found a file by its title alone.
  const isNothing = found.isComplete && found.count === 0
  const isOpen = mayFind && (asked === 'typed' || (asked === 'linked' && !isNothing))
  const hit = current?.of === question.value ? current.hit : undefined
  const latest = useLatest({ typed, question, isOpen, step: (by: 1 | -1) => go(found, by, hit) })
  const commands = useMemo<FindCommands>(() => {
    const open = () => {
      const q = selectedWords()
      if (q !== '') {
        endFind()
        setTyped((before) => ({ ...before, q, each_word: false }))
      }
      setAsked('typed')
      input.current?.focus()
      input.current?.select()
    }
    const close = () => {
      setAsked(undefined)
      endFind()
      focusPages()
    }
    const step = (by: 1 | -1) => latest.current.step(by)
    return {
      open,
      close,
      step,
      toggle: () => (latest.current.isOpen ? close() : open()),
      type: (change) => {
        endFind()
        setAsked('typed')
        setTyped((before) => ({ ...before, ...change }))
      },
      enter: (by) =>
        latest.current.question.value === latest.current.typed
          ? step(by)
          : latest.current.question.set(latest.current.typed),
    }
  }, [latest, focusPages, endFind])
  useFindKeys(mayFind, { isOpen, isTyped: asked === 'typed' }, commands)
  const finding = useMemo<Finding>(
    () => ({
      isOpen,
      isTyped: asked === 'typed',
      typed,
      found: isOpen ? found : NOTHING,
      current: isOpen ? hit : undefined,
      input,
    }),
    [isOpen, asked, typed, found, hit],
  )
  return (
    <FindCommandsStore value={commands}>
      <FindingStore value={finding}>{children}</FindingStore>
    </FindCommandsStore>
  )
}

/** The words that are selected in the pages, if they are few. */
function selectedWords(): string {
  const selection = getSelection()
  const isInPages = Boolean(selection?.anchorNode?.parentElement?.closest('.words'))
  const words = isInPages ? (selection?.toString().trim() ?? '') : ''
  return words.length > 100 || words.includes('\n') ? '' : words
}

/** The value after a pause, or as soon as it is set. */
function useSettable<Value>(value: Value): { value: Value; set: (value: Value) => void } {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    if (paused === value) return undefined
    const timer = setTimeout(() => setPaused(value), PAUSE)
    return () => clearTimeout(timer)
  }, [paused, value])
  return { value: paused, set: setPaused }
}
