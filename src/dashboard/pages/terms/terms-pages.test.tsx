import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Reply } from '../../../contract/endpoint.ts'
import { NO_DRAFT } from '../../../contract/endpoints/deal/terms-pdf.ts'
import { api } from '../../../contract/index.ts'
import { SHOWN_REFUSALS } from '../../../contract/refusals.ts'
import { ApiFailure } from '../../api/failures.ts'
import { queryClient } from '../../api/query-client.ts'
import { fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { workspace } from '../../testing/samples.ts'

let fake: FakeApi
beforeEach(() => {
  fake = fakeApi().on(api.workspaces.get, workspace({ admin: true }))
})

const issued_at = '2026-01-01T00:00:00.000Z'
const sha256 = (digit: string) => digit.repeat(64)

describe('writing terms', () => {
  type Draft = NonNullable<Reply<typeof api.terms.getDraft>['draft']>
  let draft: Draft | null
  beforeEach(() => {
    draft = null
    fake
      .on(api.terms.listVersions, [])
      .on(api.terms.listAnswers, [])
      .on(api.groups.list, [])
      .on(api.terms.getDraft, () => ({ draft }))
  })
  const kept = (text: string, digit: string): Draft => ({
    group_id: null,
    title: 'Terms',
    text,
    sha256: sha256(digit),
    asks_name: false,
    updated_at: issued_at,
    updated_by_id: 2,
    pdf: null,
    digest: sha256(digit),
  })
  /** The version that comes of a draft with the hash "1…". */
  const issued = (pdf: Draft['pdf']) => {
    const { group_id, title, sha256: hash, asks_name } = kept('', '1')
    const issue = { id: 1, group_id, group_name: '', version: 1, title, sha256: hash, asks_name, issued_at, pdf }
    return { ...issue, issued_by_id: 2, withdrawn_at: null, in_force: true, accepted: 0, declined: 0 }
  }
  const open = async () => {
    const { user } = renderAt('/workspaces/5/settings/terms')
    return { user, text: await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }) }
  }

  it('keeps what was typed where it cannot be saved', async () => {
    fake.fail(api.terms.saveDraft, 503, 'The service is away.')
    const { user, text } = await open()
    await user.type(screen.getByRole('textbox', { name: 'Title' }), 'Terms')
    await user.type(text, 'Long work')
    await user.click(screen.getByRole('button', { name: 'Save draft' }))
    await screen.findByText('The service is away.')
    expect(text.value).toBe('Long work')
  })

  it('proposes a title, and is ready for the text where the link says so', async () => {
    renderAt('/workspaces/5/settings/terms#write')
    const text = await screen.findByRole('textbox', { name: 'Text' })
    await waitFor(() => expect(document.activeElement).toBe(text))
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('Confidentiality terms')
    expect(screen.getByRole('button', { name: 'Save draft' })).toHaveProperty('disabled', true)
  })

  it('appears once the version is read with which the next one begins', async () => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    const version = { ...issued(null), asks_name: true }
    fake
      .on(api.terms.listVersions, [version])
      .on(api.terms.getVersion, () => arrived.then(() => ({ ...version, text: 'Issued before' })))
    renderAt('/workspaces/5/settings/terms')
    await waitFor(() => expect(fake.calls.filter((call) => /terms\/(\w+\/)?1$/.test(call))).toHaveLength(1))
    expect(screen.queryByRole('textbox', { name: 'Text' })).toBeNull()
    arrive()
    const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' })
    expect(text.value).toBe('Issued before')
    expect(screen.getByRole('checkbox', { name: 'Ask for the typed name' })).toHaveProperty('checked', true)
  })

  const ofPdf = { file_name: 'NDA.pdf', size: 12_000, pages: 2 }

  it('keeps the PDF of a draft while its title changes, and issues it by its hash', async () => {
    const saved: object[] = []
    const asked: string[] = []
    draft = { ...kept('These terms are the PDF "NDA.pdf" of 2 pages.', '1'), pdf: ofPdf }
    fake.on(api.terms.saveDraft, ({ body }) => {
      saved.push(body)
      draft = { ...kept('', '1'), title: body.title, pdf: ofPdf }
      return draft
    })
    fake.on(api.terms.issue, ({ body }) => {
      asked.push(body.sha256)
      return issued(ofPdf)
    })
    const { user } = renderAt('/workspaces/5/settings/terms')
    await screen.findByText('NDA.pdf')
    expect(screen.getByRole('radio', { name: 'PDF' })).toHaveProperty('checked', true)
    expect(screen.queryByRole('textbox', { name: 'Text' })).toBeNull()
    await user.type(screen.getByRole('textbox', { name: 'Title' }), ' of 2026')
    await user.click(screen.getByRole('button', { name: 'Save draft' }))
    await waitFor(() => expect(saved).toEqual([{ title: 'Terms of 2026', asks_name: false, digest: sha256('1') }]))
    await user.click(screen.getByRole('button', { name: 'Issue version 1…' }))
    await user.click(screen.getByRole('button', { name: 'Issue' }))
    await waitFor(() => expect(asked).toEqual([sha256('1')]))
  })

  it('needs a PDF before terms can be issued as one, and keeps the text that was typed', async () => {
    const { user, text } = await open()
    await user.type(text, 'Long work')
    await user.click(screen.getByRole('radio', { name: 'PDF' }))
    await screen.findByText('Drop a PDF here, or choose one.')
    expect(screen.getByRole('button', { name: 'Issue version 1…' })).toHaveProperty('disabled', true)
    expect(screen.getByRole('button', { name: 'Save draft' })).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('radio', { name: 'Text' }))
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }).value).toBe('Long work')
  })

  it('issues no PDF that another admin has stored since, before its pages were looked at', async () => {
    const asked: string[] = []
    fake.on(api.terms.issue, ({ body }) => {
      asked.push(body.sha256)
      throw new Error('for the test')
    })
    draft = { ...kept('', '1'), pdf: ofPdf }
    const { user } = renderAt('/workspaces/5/settings/terms')
    await screen.findByText('NDA.pdf')
    draft = { ...kept('', '2'), pdf: { ...ofPdf, file_name: 'Other.pdf' } }
    await queryClient.invalidateQueries()
    await screen.findByText('This PDF was stored meanwhile.', { exact: false })
    const issue = screen.getByRole('button', { name: 'Issue version 1…' })
    expect(issue).toHaveProperty('disabled', true)
    const page = { page_number: 1, width: 1240, height: 1754, text: 'Secret.', expiring_url: '/content/1' }
    const urls = { expires: 0, expiring_url: '/content/2' }
    fake.on(api.terms.draftPages, { ...ofPdf, ...urls, sha256: sha256('2'), total_pages: 1, pages: [page] })
    await user.click(screen.getByRole('button', { name: 'Look at the pages' }))
    await screen.findByText(sha256('2'), { exact: false, selector: '[role=dialog] *' })
    await user.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(issue).toHaveProperty('disabled', false))
    await user.click(issue)
    await user.click(screen.getByRole('button', { name: 'Issue' }))
    await waitFor(() => expect(asked).toEqual([sha256('2')]))
  })

  it('issues the PDF that was shown when its title is saved with it, not what another admin has stored since', async () => {
    const asked: string[] = []
    draft = { ...kept('', '1'), pdf: ofPdf }
    fake.on(api.terms.saveDraft, ({ body }) => (draft = { ...kept('', '2'), title: body.title, pdf: ofPdf }))
    fake.on(api.terms.issue, ({ body }) => {
      asked.push(body.sha256)
      throw new Error('for the test')
    })
    const { user } = renderAt('/workspaces/5/settings/terms')
    await screen.findByText('NDA.pdf')
    await user.type(screen.getByRole('textbox', { name: 'Title' }), ' of 2026')
    await user.click(screen.getByRole('button', { name: 'Issue version 1…' }))
    await user.click(screen.getByRole('button', { name: 'Issue' }))
    await waitFor(() => expect(asked).toEqual([sha256('1')]))
  })

  it('keeps a text that was typed while the title of a PDF is saved', async () => {
    draft = { ...kept('', '1'), pdf: ofPdf }
    fake.on(api.terms.saveDraft, ({ body }) => (draft = { ...kept('', '1'), title: body.title, pdf: ofPdf }))
    const { user } = renderAt('/workspaces/5/settings/terms')
    await screen.findByText('NDA.pdf')
    await user.click(screen.getByRole('radio', { name: 'Text' }))
    await user.type(screen.getByRole('textbox', { name: 'Text' }), 'Long work')
    await user.click(screen.getByRole('radio', { name: 'PDF' }))
    await user.type(screen.getByRole('textbox', { name: 'Title' }), '!')
    await user.click(screen.getByRole('button', { name: 'Save draft' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save draft' })).toHaveProperty('disabled', true))
    await user.click(screen.getByRole('radio', { name: 'Text' }))
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }).value).toBe('Long work')
  })

  /** As the service: refuses to change another draft than was read. */
  const store = (read: string | undefined, next: Draft): Draft => {
    if (read !== (draft?.digest ?? NO_DRAFT)) throw new ApiFailure(409, SHOWN_REFUSALS.terms_draft_changed.sentence)
    return (draft = next)
  }

  it('saves over what another admin has saved since only when asked to, and keeps what was typed until then', async () => {
    fake.on(api.terms.saveDraft, ({ body }) => store(body.digest, kept(body.text ?? '', '3')))
    draft = kept('Read by me', '1')
    const { user, text } = await open()
    await user.clear(text)
    await user.type(text, 'Mine')
    draft = { ...kept('Long work of another', '2'), title: 'Terms of another' }
    await user.click(screen.getByRole('button', { name: 'Save draft' }))
    await screen.findByText('Somebody saved this draft after you had read it.', { exact: false })
    expect([text.value, draft.text]).toEqual(['Mine', 'Long work of another'])
    expect(screen.getByRole('button', { name: 'Issue version 1…' })).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('button', { name: 'Read the other draft' }))
    const other = await screen.findByRole('dialog', { name: 'Terms of another' })
    expect(other.textContent).toContain('Long work of another')
    await user.click(within(other).getByRole('button', { name: 'Close' }))
    await user.click(await screen.findByRole('button', { name: 'Save mine anyway' }))
    await waitFor(() => expect(draft?.text).toBe('Mine'))
    await waitFor(() => expect(screen.queryByText(/Somebody saved/)).toBeNull())
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Issue version 1…' })).toHaveProperty('disabled', false),
    )
  })

  it('takes the draft of another admin in place of what was typed', async () => {
    fake.on(api.terms.saveDraft, ({ body }) => store(body.digest, kept(body.text ?? '', '3')))
    draft = kept('Read by me', '1')
    const { user, text } = await open()
    await user.type(text, ' and changed')
    draft = kept('Long work of another', '2')
    await user.click(screen.getByRole('button', { name: 'Issue version 1…' }))
    await user.click(screen.getByRole('button', { name: 'Issue' }))
    await user.click(await screen.findByRole('button', { name: 'Use it and drop mine' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(text.value).toBe('Long work of another')
    expect(screen.queryByText(/Somebody saved/)).toBeNull()
    expect(screen.getByRole('button', { name: 'Save draft' })).toHaveProperty('disabled', true)
  })

  it('keeps the text that was typed where another admin has stored a PDF or issued the draft', async () => {
    fake.on(api.terms.saveDraft, ({ body }) => store(body.digest, kept(body.text ?? '', '3')))
    draft = kept('Read by me', '1')
    const { user, text } = await open()
    await user.type(text, ' and changed')
    draft = { ...kept('These terms are the PDF "NDA.pdf" of 2 pages.', '2'), pdf: ofPdf }
    await user.click(screen.getByRole('button', { name: 'Save draft' }))
    await screen.findByText('Somebody saved this draft after you had read it.', { exact: false })
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }).value).toBe('Read by me and changed')
    draft = null
    await user.click(screen.getByRole('button', { name: 'Save mine anyway' }))
    await screen.findByText('Somebody issued or discarded this draft after you had read it.', { exact: false })
    await user.click(screen.getByRole('button', { name: 'Save mine anyway' }))
    await waitFor(() => expect(draft?.text).toBe('Read by me and changed'))
  })

  it('discards the draft that was shown, not one that another admin has saved since', async () => {
    fake.on(api.terms.removeDraft, ({ query }) => void store(query.digest, kept('', '3')))
    draft = kept('Read by me', '1')
    const { user, text } = await open()
    await user.click(screen.getByRole('button', { name: 'Discard draft' }))
    draft = kept('Saved by another', '2')
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await screen.findByText('The draft has changed since you read it.', { exact: false })
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(text.value).toBe('Saved by another'))
    expect(draft).toMatchObject({ text: 'Saved by another' })
  })

  it('asks before a draft is discarded', async () => {
    fake.on(api.terms.removeDraft, () => void (draft = null))
    draft = kept('Long work', '1')
    const { user, text } = await open()
    await user.click(screen.getByRole('button', { name: 'Discard draft' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(text.value).toBe('Long work')
    await user.click(await screen.findByRole('button', { name: 'Discard draft' }))
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(text.value).toBe(''))
  })

  it('issues the draft that was shown, not one that another admin has saved since', async () => {
    const asked: string[] = []
    fake.on(api.terms.issue, ({ body }) => {
      asked.push(body.sha256)
      return issued(null)
    })
    draft = kept('Read by me', '1')
    const { user, text } = await open()
    await user.click(screen.getByRole('button', { name: 'Issue version 1…' }))
    draft = kept('Saved by another', '2')
    await queryClient.invalidateQueries()
    await waitFor(() => expect(text.value).toBe('Saved by another'))
    await user.click(screen.getByRole('button', { name: 'Issue' }))
    await waitFor(() => expect(asked).toEqual([sha256('1')]))
  })
})

it('a reader whom another version awaits is led to it, and nothing is asked again and again', async () => {
  type Own = Reply<typeof api.terms.mine>
  const recorded = { first_name: '', last_name: '', email: 'rita@example.com', company: '', address: '192.0.2.1' }
  const own = (version: number, accepted_at: string | null): Own => ({
    workspace_id: 5,
    workspace_name: 'Harbour',
    await: accepted_at === null,
    terms: [
      {
        id: version,
        group_id: null,
        group_name: '',
        version,
        title: 'Terms',
        sha256: sha256('1'),
        asks_name: false,
        issued_at,
        pdf: null,
        text: 'Quiet.',
        accepted_at,
        declined_at: null,
        former: null,
      },
    ],
    contact: null,
    recorded,
  })
  fake.on(api.terms.mine, own(1, issued_at))
  fake.fail(api.workspaces.get, 403, SHOWN_REFUSALS.terms_not_accepted.sentence)
  const { user, address } = renderAt('/workspaces/5/terms')
  await screen.findByRole('heading', { name: 'Accepted' })
  fake.on(api.terms.mine, own(2, null))
  await user.click(screen.getByRole('link', { name: 'Enter' }))
  await screen.findByRole('heading', { name: 'Accept to enter' })
  expect(address()).toMatch(/^\/workspaces\/5\/terms/)
  const calls = fake.calls.length
  await new Promise((done) => setTimeout(done, 300))
  expect(fake.calls).toHaveLength(calls)
})

it('shows the pages of a PDF with their text for screen readers, and what has changed', async () => {
  const recorded = { first_name: '', last_name: '', email: 'rita@example.com', company: '', address: '192.0.2.1' }
  const pdf = { file_name: 'NDA.pdf', size: 12_000, pages: 1 }
  const textOf = (words: string) =>
    `These terms are the PDF "NDA.pdf" of 1 page. This text was read from it:\n\n${words}`
  const version = { id: 8, version: 2, text: textOf('Secret for three years.'), pdf }
  const former = { id: 7, version: 1, text: textOf('Secret for two years.'), pdf, accepted_at: issued_at }
  const beside = { group_id: null, group_name: '', title: 'Terms', sha256: sha256('1'), asks_name: false, issued_at }
  fake.on(api.terms.mine, {
    workspace_id: 5,
    workspace_name: 'Harbour',
    await: true,
    terms: [{ ...beside, ...version, accepted_at: null, declined_at: null, former }],
    contact: null,
    recorded,
  })
  const page = {
    page_number: 1,
    width: 1240,
    height: 1754,
    text: 'Secret for three years.',
    expiring_url: '/content/1',
  }
  fake.on(api.terms.pages, {
    file_name: 'NDA.pdf',
    size: 12_000,
    sha256: sha256('1'),
    total_pages: 1,
    expires: 0,
    expiring_url: '/content/2',
    pages: [page],
  })
  const { user } = renderAt('/workspaces/5/terms')
  await screen.findByText('Page 1 of 1')
  expect(document.querySelector('figure img')?.getAttribute('src')).toBe('/content/1')
  expect(screen.getByText('Secret for three years.').className).toContain('unseen')
  expect(screen.queryByText(/This text was read from it/)).toBeNull()
  expect(screen.queryByText(/What is new or has changed is marked/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'What changed since version 1' }))
  await screen.findByText('1 passage has changed.', { exact: false })
  expect(document.querySelector('del')?.textContent).toBe('two')
  expect(document.querySelector('ins')?.textContent).toBe('three')
})

it('says which pages of a PDF have no text where it tells that the words are the same', async () => {
  const pdf = { file_name: 'NDA.pdf', size: 12_000, pages: 2 }
  const text = 'These terms are the PDF "NDA.pdf" of 2 pages. This text was read from it:\n\nSecret.'
  const beside = { group_id: null, group_name: '', title: 'Terms', sha256: sha256('1'), asks_name: false, issued_at }
  const former = { id: 7, version: 1, text, pdf, accepted_at: issued_at }
  fake.on(api.terms.mine, {
    workspace_id: 5,
    workspace_name: 'Harbour',
    await: true,
    terms: [{ ...beside, id: 8, version: 2, text, pdf, accepted_at: null, declined_at: null, former }],
    contact: null,
    recorded: { first_name: '', last_name: '', email: 'rita@example.com', company: '', address: '192.0.2.1' },
  })
  const pageOf = (page_number: number, words: string) => ({
    page_number,
    width: 1240,
    height: 1754,
    text: words,
    expiring_url: `/content/${page_number}`,
  })
  fake.on(api.terms.pages, ({ params }) => ({
    file_name: 'NDA.pdf',
    size: 12_000,
    sha256: sha256(String(params.terms_id)),
    total_pages: 2,
    expires: 0,
    expiring_url: '/content/0',
    pages: [pageOf(1, 'Secret.'), pageOf(2, params.terms_id === 8 ? '' : 'Read')],
  }))
  const { user } = renderAt('/workspaces/5/terms')
  await user.click(await screen.findByRole('button', { name: 'What changed since version 1' }))
  await screen.findByText('The words that could be read are the same.')
  await screen.findByText('Pages of version 2 without text that could be read: 2')
  expect(screen.queryByText(/Pages of version 1/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Show the text' }))
  await user.click(screen.getByRole('button', { name: 'Show the pages' }))
  const images = () => [...document.querySelectorAll('figure img')].map((image) => image.getAttribute('loading'))
  expect(images()).toEqual(['lazy', 'lazy'])
  act(() => void window.dispatchEvent(new Event('beforeprint')))
  expect(images()).toEqual(['eager', 'eager'])
})
