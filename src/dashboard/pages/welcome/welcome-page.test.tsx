import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { welcome, workspace } from '../../testing/samples.ts'

const file = {
  file_id: 3,
  folder_id: 2,
  folder_name: 'Finance',
  title: 'Accounts.pdf',
  kind: 'pdf' as const,
  version: 2,
  outline: '3.1.1',
  number_length: 0,
  changed_at: '2026-02-01T08:00:00.000Z',
  unread: true,
}

let fake: FakeApi

beforeEach(() => {
  fake = fakeApi().on(api.workspaces.get, workspace({ admin: false }))
})

async function show(more: Parameters<typeof welcome>[0]) {
  fake.on(api.workspaces.getWelcome, welcome(more))
  renderAt('/workspaces/5/welcome')
  await screen.findByText('Your access')
}

describe('the welcome page', () => {
  it('greets the reader with the words of the admins, the contact and the way to the files', async () => {
    const contact = {
      user_id: 2,
      first_name: 'Marta',
      last_name: 'Nowak',
      email: 'marta@example.com?cc=x',
      company: 'Harbour',
      title: 'CFO',
    }
    await show({
      description: 'Sale of all shares',
      text: 'Start with 1.1',
      expectation: 'Questions',
      contact,
      contact_note: '+31',
    })
    for (const words of [
      /Sale of all shares · you are here with Bidders/,
      'Start with 1.1',
      /Questions/,
      'Marta Nowak',
      'CFO, Harbour',
      '+31',
    ]) {
      expect(screen.getByText(words)).toBeTruthy()
    }
    expect(screen.getByRole('link', { name: 'marta@example.com?cc=x' }).getAttribute('href')).toBe(
      'mailto:marta%40example.com%3Fcc%3Dx',
    )
    expect(screen.getByRole('link', { name: 'Open files' }).getAttribute('href')).toBe('/workspaces/5/files')
    expect(screen.queryByRole('link', { name: 'Edit this page' })).toBeNull()
  })

  it('lists what is new, and how much more there is', async () => {
    await show({ previous_visit_at: '2026-01-30T08:00:00.000Z', new_files: [file], new_files_count: 14 })
    expect(screen.getByRole('heading', { name: 'New since your last visit' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Accounts.pdf' }).getAttribute('href')).toBe('/workspaces/5/files/3/view')
    expect(screen.getByText('Version 2')).toBeTruthy()
    expect(screen.getByText('3.1.1')).toBeTruthy()
    const newest = screen.getByRole('link', { name: 'Read the new document' })
    expect(newest.getAttribute('href')).toBe('/workspaces/5/files/3/view')
    expect(screen.getByText('not viewed yet')).toBeTruthy()
    expect(screen.getByText('and at least 13 more documents')).toBeTruthy()
  })

  it('says only what is true about protection and access', async () => {
    const protection = { documents: true, marked: 'some', downloads: true, sealed: 'all' } as const
    await show({ protection, access_ends_at: '2026-12-18' })
    expect(screen.getByText('Some pages carry your mark')).toBeTruthy()
    expect(screen.getByText('Downloads are sealed copies')).toBeTruthy()
    expect(screen.getByText('18 Dec 2026')).toBeTruthy()
  })

  it('says how much the reader has opened and may download, and which terms they accepted', async () => {
    await show({
      reading: { viewable: 186, downloadable: 121, opened: 172 },
      terms: [{ title: 'Confidentiality', version: 2, accepted_at: '2026-01-12T09:00:00.000Z' }],
    })
    expect(screen.getByText('172 of 186 opened')).toBeTruthy()
    expect(screen.getByText('14 documents not opened yet')).toBeTruthy()
    expect(screen.getByText('You may view 186 documents and download 121 of them.')).toBeTruthy()
    expect(screen.getByText('You accepted the terms on 12 Jan 2026')).toBeTruthy()
    expect(screen.getByText('Confidentiality, version 2')).toBeTruthy()
  })

  it('says that a reader may only view, and nothing of marks where there are none', async () => {
    await show({ protection: { documents: true, marked: 'none', downloads: false, sealed: 'none' } })
    expect(screen.getByText('View only')).toBeTruthy()
    expect(screen.queryByText(/mark/)).toBeNull()
    expect(screen.getByText('Reading is recorded')).toBeTruthy()
  })

  const settings = { shown: true, groups: [], categories: [], admins: [], passed: false, routes: [] }
  const answered = (number: number, subject: string, answered_at: string) => ({
    id: `00000000-0000-4000-8000-00000000000${number}`,
    number,
    own: true,
    status: 'answered' as const,
    subject,
    category: null,
    place: null,
    faq: false,
    group: null,
    priority: 'normal' as const,
    asked_at: '2026-01-20T09:00:00.000Z',
    answered_at,
    assignee: null,
    due_on: null,
    experts: [],
  })
  const counts = { to_approve: 0, open: 0, draft: 0, answered: 2, closed: 0, withdrawn: 0, overdue: 0 }

  it('lists the newest answers first, whatever else is new, and leads to the FAQ only if there is one', async () => {
    fake
      .on(api.questions.getSettings, settings)
      .on(api.news.list, { items: [] })
      .on(api.questions.list, ({ query }) => ({
        questions: query.faq
          ? []
          : [
              answered(1, 'Who pays?', '2026-01-21T09:00:00.000Z'),
              answered(2, 'Which law?', '2026-01-22T09:00:00.000Z'),
            ],
        counts,
        next: null,
      }))
    await show({})
    const links = await screen.findAllByRole('link', { name: /Who pays|Which law/ })
    expect(links.map(({ textContent }) => textContent)).toEqual(['Which law?', 'Who pays?'])
    expect(screen.queryByRole('link', { name: 'Frequent questions' })).toBeNull()
  })

  it('lets admins edit it, and tells them that they are exempt', async () => {
    fake.on(api.workspaces.get, workspace({ admin: true }))
    await show({ protection: null })
    expect(screen.getByRole('link', { name: 'Edit this page' }).getAttribute('href')).toBe('/workspaces/5/settings')
    expect(screen.getByText(/your access has no end/)).toBeTruthy()
  })
})
