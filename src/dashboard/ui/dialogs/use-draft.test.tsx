import { act, renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { useDraft } from './use-draft.ts'

interface Card {
  name: string
  size: number
}

const begin = (stored: Card) => {
  const view = renderHook((props: Card) => useDraft(props), { initialProps: stored })
  return {
    now: () => view.result.current,
    type: (change: Partial<Card>) => act(() => view.result.current.set(change)),
    store: (now: Card) => view.rerender(now),
    saved: (sent: Partial<Card>) => act(() => view.result.current.saved(sent)),
    drop: (key: keyof Card) => act(() => view.result.current.drop(key)),
  }
}

describe('a draft', () => {
  it('follows the stored values until the user types', () => {
    const draft = begin({ name: 'Buyers', size: 1 })
    draft.store({ name: 'Bidders', size: 2 })
    expect(draft.now()).toMatchObject({ values: { name: 'Bidders', size: 2 }, changed: [], overtaken: [] })
  })

  it('keeps the input, follows the other fields, and reports a value that was stored meanwhile', () => {
    const draft = begin({ name: 'Buyers', size: 1 })
    draft.type({ name: 'Lenders' })
    expect(draft.now()).toMatchObject({ changed: ['name'], overtaken: [] })
    draft.store({ name: 'Bidders', size: 2 })
    expect(draft.now()).toMatchObject({
      values: { name: 'Lenders', size: 2 },
      changed: ['name'],
      overtaken: ['name'],
    })
    draft.drop('name')
    expect(draft.now()).toMatchObject({ values: { name: 'Bidders', size: 2 }, changed: [], overtaken: [] })
  })

  it('reports nothing if others stored the same value, or if the user typed the stored value back', () => {
    const draft = begin({ name: 'Buyers', size: 1 })
    draft.type({ name: 'Lenders ' })
    draft.store({ name: 'Lenders', size: 1 })
    expect(draft.now()).toMatchObject({ changed: [], overtaken: [] })
    draft.type({ name: 'Lenders' })
    draft.store({ name: 'Bidders', size: 1 })
    expect(draft.now()).toMatchObject({ values: { name: 'Bidders' }, changed: [], overtaken: [] })
  })

  it('stays when an optimistic update is rolled back', () => {
    const draft = begin({ name: 'Buyers', size: 1 })
    draft.type({ size: 5 })
    draft.store({ name: 'Buyers', size: 5 })
    expect(draft.now().changed).toEqual([])
    draft.store({ name: 'Buyers', size: 1 })
    expect(draft.now()).toMatchObject({ values: { size: 5 }, changed: ['size'], overtaken: [] })
  })

  it('ends with the value that the service stores, except for input typed since then', () => {
    const draft = begin({ name: 'Buyers', size: 1 })
    draft.type({ name: 'LENDERS ', size: 2 })
    const sent = draft.now().values
    draft.type({ size: 3 })
    draft.store({ name: 'Lenders', size: 2 })
    draft.saved(sent)
    expect(draft.now()).toMatchObject({ values: { name: 'Lenders', size: 3 }, changed: ['size'], overtaken: [] })
    draft.store({ name: 'Bidders', size: 2 })
    expect(draft.now()).toMatchObject({ values: { name: 'Bidders' }, changed: ['size'], overtaken: [] })
  })
  it('keeps the input of fields that were not sent', () => {
    const draft = begin({ name: 'Buyers', size: 1 })
    draft.type({ name: 'Lenders', size: 2 })
    draft.store({ name: 'Lenders', size: 1 })
    draft.saved({ name: 'Lenders' })
    expect(draft.now()).toMatchObject({ values: { name: 'Lenders', size: 2 }, changed: ['size'], overtaken: [] })
  })
})
