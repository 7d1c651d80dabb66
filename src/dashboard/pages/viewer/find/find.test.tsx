import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../../contract/index.ts'
import type { TextLayer } from '../../../../contract/endpoints/groups.ts'
import type { FakeApi } from '../../../testing/fake-api.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { NO_REASON } from '../../../testing/samples.ts'
import { SmallRoom } from '../../files/testing/room.ts'

const PAGES = 300
const TEXT = 'The <b>quay</b> is con\u00adcrete\nרציף המכולות'
/** Pages with hits. */
const HITS: Record<number, number> = { 3: 1, 120: 2, 290: 1 }
const ADDRESS = '/workspaces/5/files/7/view'

beforeAll(() => Promise.all([import('../view-page.tsx'), import('../../files/files-page.tsx')]))
beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1440
})

/** Serves a document; an answer of find covers 100 pages. */
function serve(text_layer: TextLayer): FakeApi {
  const numbers = Array.from({ length: PAGES }, (_, at) => at + 1)
  return new SmallRoom()
    .serve({ admin: false })
    .on(api.files.pages, ({ query }) => ({
      file_id: 7,
      version: 1,
      status: 'Ready' as const,
      ...NO_REASON,
      total_pages: PAGES,
      expires: Math.floor(Date.now() / 1000) + 900,
      pages: numbers.slice(query.from - 1, query.from + 24).map((page_number) => ({
        page_number,
        width: 1600,
        height: 2000,
        expiring_url: `https://elsewhere.example/content/p${page_number}`,
        expiring_thumbnail_url: `https://elsewhere.example/content/t${page_number}`,
      })),
      widths: numbers.map(() => 1600),
      heights: numbers.map(() => 2000),
      printable: false,
      text_layer,
    }))
    .on(api.files.text, ({ params }) => ({
      file_id: 7,
      version: 1,
      page_number: Number(params.page_number),
      text: TEXT,
      words: [...TEXT.matchAll(/\S+/g)].map(({ 0: word, index }, at) => ({
        start: index,
        end: index + word.length,
        x: 160,
        y: 200 + at * 50,
        width: 100,
        height: 40,
      })),
      is_partial: false,
    }))
    .on(api.files.find, ({ query }) => {
      // Booleans in an address are not read here, so numbers remain texts as well.
      const from = Number(query.from)
      const last = from + 99
      const pages = numbers.slice(from - 1, last).flatMap((page_number) => {
        const hits = Array.from({ length: HITS[page_number] ?? 0 }, (_, at) => [
          { x: 160, y: 200 + at * 100, width: 320, height: 40 },
        ])
        return hits.length > 0 && query.q.startsWith('quay') ? [{ page_number, hits }] : []
      })
      const next_page = last < PAGES ? last + 1 : null
      return { file_id: 7, version: 1, pages, total_pages: PAGES, next_page, is_partial: query.q === 'quays' }
    })
}

async function open(address = ADDRESS, text_layer: TextLayer = 'find') {
  const server = serve(text_layer)
  const view = renderAt(address)
  await screen.findByRole('region', { name: 'Pages of Board minutes.pdf' })
  await screen.findByRole('button', { name: 'Thumbnails' })
  return { ...view, server }
}

const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Find in the document' })
const said = async (words: string) => {
  const bar = await screen.findByRole('search')
  await waitFor(() => expect(within(bar).getByRole('status').textContent).toBe(words))
}
const marks = () => [...document.querySelectorAll<HTMLElement>('i[style]')].map(({ style }) => style.left)

describe('finding in a document', () => {
  it('opens with Ctrl+F, counts the hits of all pages and goes from one to the next and round', async () => {
    const { user, address, server } = await open()
    fireEvent.keyDown(document.body, { key: 'f', ctrlKey: true })
    expect(await field()).toBe(document.activeElement)
    await user.keyboard('quay{Enter}')
    await said('Hit 1 of 4, page 3')
    await waitFor(() => expect(address()).toBe(`${ADDRESS}?page=3`))
    expect(marks()).toEqual(['10.000%'])
    await user.keyboard('{Enter}')
    await said('Hit 2 of 4, page 120')
    await waitFor(() => expect(address()).toBe(`${ADDRESS}?page=120`))
    expect(marks()).toEqual(['10.000%', '10.000%'])
    expect(document.querySelectorAll('i.current')).toHaveLength(1)
    await user.keyboard('{F3}{F3}')
    await said('Hit 4 of 4, page 290')
    await user.keyboard('{F3}')
    await said('Hit 1 of 4, page 3')
    await user.keyboard('{Shift>}{Enter}{/Shift}')
    await said('Hit 4 of 4, page 290')
    await user.click(screen.getByRole('button', { name: 'Previous hit' }))
    await said('Hit 3 of 4, page 120')
    const asked = server.calls.filter((call) => call.includes('/find?')).map((call) => /from=(\d+)/.exec(call)?.[1])
    expect(asked).toEqual(['1', '101', '201'])
  })

  it('shows the thumbnails of the pages with hits alone, and asks for the addresses of these', async () => {
    const { user, server } = await open()
    await user.click(screen.getByRole('button', { name: 'Find in the document' }))
    await user.type(await field(), 'quay')
    await said('Hit 1 of 4, page 3')
    await user.click(screen.getByRole('button', { name: 'Hits 4' }))
    const rail = screen.getByRole('navigation', { name: 'Thumbnails' })
    const shown = () =>
      within(rail)
        .getAllByRole('button', { name: /^Page / })
        .map((each) => each.getAttribute('aria-label'))
    await waitFor(() => expect(shown()).toEqual(['Page 3, 1 hit', 'Page 120, 2 hits', 'Page 290, 1 hit']))
    const chunks = () =>
      server.calls.filter((call) => call.includes('/pages?')).map((call) => /from=(\d+)/.exec(call)?.[1])
    await waitFor(() => expect(chunks()).toEqual(['1', '101', '276']))
    within(rail).getByRole('button', { name: 'Page 3, 1 hit' }).focus()
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(within(rail).getByRole('button', { current: 'page' }).textContent).toBe('120'))
    await user.click(screen.getByRole('button', { name: 'End the search' }))
    await waitFor(() => expect(shown().length).toBeGreaterThan(3))
  })

  it('begins at the page in view, and searches the pages before it last', async () => {
    const { user, server } = await open(`${ADDRESS}?page=250`)
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Page' }).value).toBe('250'))
    await user.click(screen.getByRole('button', { name: 'Find in the document' }))
    await user.type(await field(), 'quay')
    await said('Hit 4 of 4, page 290')
    const asked = server.calls.filter((call) => call.includes('/find?')).map((call) => /from=(\d+)/.exec(call)?.[1])
    expect(asked).toEqual(['250', '1', '101', '201'])
  })

  it('sends how words are compared, and tells no place where hits may be missing', async () => {
    const { user, server } = await open()
    await user.click(screen.getByRole('button', { name: 'Find in the document' }))
    await user.type(await field(), 'quays')
    await said('4 hits or more, now on page 3')
    await user.click(screen.getByRole('button', { name: 'Match case' }))
    await waitFor(() => expect(server.calls.at(-1)).toMatch(/match_case=true.*whole_words=false/))
    await user.click(screen.getByRole('button', { name: /^Each word/ }))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Whole words' }).disabled).toBe(true)
  })

  it('says that there are no hits, and why the service refuses', async () => {
    const { user, server } = await open()
    await user.click(screen.getByRole('button', { name: 'Find in the document' }))
    await user.type(await field(), 'nothing')
    await said('No hits')
    expect(marks()).toEqual([])
    server.fail(api.files.find, 403, 'You may view this file but not use the text of its pages.')
    await user.type(await field(), ' more')
    expect((await screen.findByRole('alert')).textContent).toContain('not use the text')
  })

  it('Escape ends the search and its marks, and then closes the file', async () => {
    const { user, address } = await open()
    fireEvent.keyDown(document.body, { key: 'f', ctrlKey: true })
    await user.type(await field(), 'quay')
    await said('Hit 1 of 4, page 3')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('search')).toBeNull()
    expect(marks()).toEqual([])
    expect(address()).toContain('/view')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(address()).not.toContain('/view'))
  })

  it('marks each word of the search that led to the file, until the search is changed or ended', async () => {
    const { user, address, server } = await open(`${ADDRESS}?find=quay+crane`)
    await said('Hit 1 of 4, page 3')
    await waitFor(() => expect(address()).toBe(`${ADDRESS}?find=quay+crane&page=3`))
    expect(server.calls.find((call) => call.includes('/find?'))).toMatch(/q=quay(%20|\+)crane&each_word=true/)
    expect(await field()).not.toBe(document.activeElement)
    await user.type(await field(), 's')
    expect((await field()).value).toBe('quay cranes')
    await waitFor(() => expect(address()).toBe(`${ADDRESS}?page=3`))
    await user.click(screen.getByRole('button', { name: 'End the search' }))
    expect(marks()).toEqual([])
  })

  it('one Escape leads back from a file to the search', async () => {
    const { user, address } = await open(`${ADDRESS}?find=quay`)
    await said('Hit 1 of 4, page 3')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(address()).not.toContain('/view'))
  })

  it.each(['nothing', 'qu'])('a search for %j, found by the title alone, opens no bar', async (words) => {
    const { server } = await open(`${ADDRESS}?find=${words}`)
    await screen.findByRole('img', { name: 'Page 1' })
    if (words.length > 2) await waitFor(() => expect(server.calls.at(-1)).toContain('from=201'))
    await waitFor(() => expect(screen.queryByRole('search')).toBeNull())
  })

  it('is not offered without the right to find, and leaves the keys to the browser', async () => {
    const { server } = await open(`${ADDRESS}?find=quay`, 'none')
    expect(screen.queryByRole<HTMLButtonElement>('button', { name: 'Find in the document' })).toBeNull()
    for (const press of [{ key: 'f', ctrlKey: true }, { key: 'F3' }, { key: 'g', ctrlKey: true }]) {
      expect(fireEvent.keyDown(document.body, press)).toBe(true)
    }
    expect(screen.queryByRole('search')).toBeNull()
    expect(server.calls.some((call) => /\/find|\/text/.test(call))).toBe(false)
  })
})

describe('the text of pages', () => {
  const layer = () => document.querySelector('.words')

  it('is read by screen readers and stands over the image word by word where it may be selected', async () => {
    await open(ADDRESS, 'select')
    const page = await screen.findByRole('group', { name: 'Text of page 1' })
    expect(page.textContent).toBe('The <b>quay</b> is concrete\nרציף המכולות')
    const words = [...(layer()?.querySelectorAll('span') ?? [])]
    expect(words.map(({ textContent }) => textContent)).toEqual([
      'The ',
      '<b>quay</b> ',
      'is ',
      'concrete',
      'רציף ',
      'המכולות',
    ])
    expect(words[3]?.nextElementSibling?.tagName).toBe('BR')
    expect(words.map(({ dir }) => dir)).toEqual(['', '', '', '', 'rtl', 'rtl'])
    expect([words[0]?.style.left, words[0]?.style.top]).toEqual(['160px', '200px'])
    expect(words[4]?.style.right).toBe('1340px')
    expect(layer()?.getAttribute('style')).toMatch(/scale\(0\.73\)/)
  })

  it.each(['none', 'find'] as const)('is not asked for with the text layer %s', async (policy) => {
    const { server } = await open(ADDRESS, policy)
    await screen.findByRole('img', { name: 'Page 1' })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(server.calls.filter((call) => call.includes('/text'))).toEqual([])
    expect(layer()).toBeNull()
  })
})
