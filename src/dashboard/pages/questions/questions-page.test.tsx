import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { api } from '../../../contract/index.ts'
import { refresh } from '../../api/query.ts'
import { queryClient } from '../../api/query-client.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { member, workspace } from '../../testing/samples.ts'
import type { Question, Thread } from './questions.ts'

beforeAll(() => import('./questions-page.tsx'))
afterEach(() => vi.restoreAllMocks())

const question = (number: number, subject: string, more: Partial<Question> = {}): Question => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  number,
  own: false,
  status: 'open',
  subject,
  category: null,
  place: null,
  faq: false,
  group: { id: 7, name: 'Northgate' },
  priority: 'normal',
  asked_at: '2026-11-20T09:00:00.000Z',
  answered_at: null,
  assignee: null,
  due_on: null,
  experts: [],
  ...more,
})

const ALL = [
  question(1, 'Who pays?'),
  question(2, 'Which law?', { priority: 'high', due_on: '2020-01-01' }),
  question(3, 'Which berth?', { status: 'answered' }),
]
/** What a question has beyond its line in the list. */
const BARE = { text: '', asked_by: null, answer: '', files: [] }
const COUNTS = { to_approve: 0, open: 2, draft: 0, answered: 1, closed: 0, withdrawn: 0, overdue: 1 }

const serve = (admin: boolean) =>
  fakeApi()
    .on(api.workspaces.get, workspace({ admin }))
    .on(api.questions.getSettings, { shown: true, groups: [], categories: [], admins: [], passed: false, routes: [] })
    .on(api.questions.list, ({ query }) => ({
      questions: ALL.filter(({ status }) => query.status === undefined || status === query.status),
      counts: COUNTS,
      next: null,
    }))
    .on(api.questions.listTexts, ({ query }) => ({
      questions: query.faq
        ? [
            {
              ...question(4, 'Which court?', { status: 'answered', faq: true, category: 'Law', group: null }),
              text: '',
              answer: 'That of Bremen',
              asked_by: null,
            },
            {
              ...question(3, 'Which berth?', { status: 'answered' }),
              text: 'Of the plan',
              answer: 'Berth 3',
              asked_by: null,
            },
          ]
        : [],
      next: null,
    }))

test('the board has a column for each state, and arrows lead from card to card', async () => {
  serve(true)
  const { user, address } = renderAt('/workspaces/5/questions')
  await user.click(await screen.findByRole('button', { name: 'Board' }))
  expect(address()).toBe('/workspaces/5/questions?view=board')
  const open = within(await screen.findByRole('region', { name: 'Open' }))
  const first = await open.findByRole('button', { name: /Who pays/ })
  expect(open.getByRole('heading').textContent).toContain('2')
  expect(open.getByRole('button', { name: /Which law/ }).textContent).toContain('overdue since')
  const answered = within(screen.getByRole('region', { name: 'Answered' }))
  await answered.findByRole('button', { name: /Which berth/ })
  first.focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toContain('Which law?')
  await user.keyboard('{ArrowRight}')
  expect(document.activeElement?.textContent).toContain('Which berth?')
  await user.keyboard('{ArrowLeft}')
  expect(document.activeElement).toBe(first)
})

test('the FAQ is read by category before other answers to all, and only admins have a board', async () => {
  serve(false)
  const { user, address } = renderAt('/workspaces/5/questions?view=board')
  expect(await screen.findByRole('list', { name: 'Questions' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Board' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'FAQ' }))
  const law = within(await screen.findByRole('region', { name: 'Law' }))
  await user.click(law.getByText('Which court?'))
  expect(law.getByText('That of Bremen').closest('details')?.open).toBe(true)
  const other = within(screen.getByRole('region', { name: 'Other answers to all' }))
  expect(other.getByText('Berth 3').closest('details')?.open).toBe(false)
  expect(screen.getAllByRole('region').map((each) => each.getAttribute('aria-label'))).toEqual([
    'Law',
    'Other answers to all',
  ])
  expect(screen.queryByRole('button', { name: /Add to the FAQ|More about “/ })).toBeNull()
  expect(address()).toBe('/workspaces/5/questions?view=faq')
})

test('the due date is stored once it is complete and left, and a typed draft keeps the question open', async () => {
  const asked = question(1, 'Who pays?')
  const work = {
    group_number: 1,
    approver: null,
    draft: '',
    drafted_by: null,
    drafted_at: null,
    reach: 'group',
  } as const
  let thread: Thread = {
    ...asked,
    text: '',
    asked_by: null,
    answer: '',
    files: [],
    work: { ...work, group_ids: [], entries: [], blind_groups: [], passes: [] },
  }
  const sent: unknown[] = []
  serve(true)
    .on(api.questions.get, () => thread)
    .on(api.questions.update, ({ body }) => {
      sent.push(body.question)
      thread = { ...thread, due_on: body.question.due_on ?? null }
      return thread
    })
  const { user } = renderAt(`/workspaces/5/questions?question=${asked.id}`)
  const due = await screen.findByLabelText('Due')
  fireEvent.change(due, { target: { value: '0002-03-04' } })
  fireEvent.blur(due)
  fireEvent.change(due, { target: { value: '2095-03-04' } })
  expect(sent).toEqual([])
  fireEvent.keyDown(due, { key: 'Enter' })
  fireEvent.blur(due)
  await waitFor(() => expect(sent).toEqual([{ due_on: '2095-03-04' }]))
  const close = screen.getByRole('button', { name: 'Close unanswered' })
  expect(close).toHaveProperty('disabled', false)
  await user.type(screen.getByLabelText('Answer'), 'The seller')
  expect(close).toHaveProperty('disabled', true)
})

test('admins add to the FAQ for groups that they choose, and nobody is chosen before', async () => {
  const sent: unknown[] = []
  serve(true)
    .on(api.questions.getSettings, {
      shown: true,
      groups: [{ group_id: 7, name: 'Northgate', may_ask: true, most: 50, days: null, used: 0, has_asked: false }],
      categories: ['Law'],
      admins: [],
      passed: false,
      routes: [],
    })
    .on(api.questions.writeFaq, ({ body }) => {
      sent.push(body)
      return { ...question(5, 'Which law?'), text: '', answer: '', asked_by: null, files: [], work: null }
    })
  const { user } = renderAt('/workspaces/5/questions?view=faq')
  await user.click(await screen.findByRole('button', { name: 'Add to the FAQ' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Question'), 'Which law?')
  await user.type(dialog.getByLabelText('Answer'), 'Dutch law.')
  const publish = dialog.getByRole<HTMLButtonElement>('button', { name: 'Publish' })
  expect(publish.disabled).toBe(true)
  await user.click(dialog.getByRole('checkbox', { name: 'Northgate' }))
  await user.click(publish)
  await expect
    .poll(() => sent)
    .toEqual([{ question: { subject: 'Which law?', text: '', answer: 'Dutch law.' }, reach: 'groups', group_ids: [7] }])
})

test('an expert begins with what was passed to them, and replies to the answerers', async () => {
  const id = '00000000-0000-4000-8000-000000000009'
  const passed = { id, subject: 'Is VAT due?', category: null, asked_at: '2026-11-20T09:00:00.000Z', due_on: null }
  const at = { ...passed, state: 'waiting' as const, place: null }
  const sent: unknown[] = []
  serve(false)
    .on(api.questions.getSettings, { shown: true, groups: [], categories: [], admins: [], passed: true, routes: [] })
    .on(api.experts.listPassed, { questions: [at], next: null })
    .on(api.experts.getPassed, { ...at, text: 'On the sale?', files: [], entries: [] })
    .on(api.experts.reply, ({ body }) => {
      sent.push(body)
      return { ...at, state: 'replied' as const, text: 'On the sale?', files: [], entries: [] }
    })
  const { user, address } = renderAt('/workspaces/5/questions')
  await user.click(await screen.findByRole('button', { name: /Is VAT due/ }))
  expect(address()).toBe(`/workspaces/5/questions?passed=${id}`)
  expect(screen.queryByRole('button', { name: 'More about questions' })).toBeNull()
  await user.type(await screen.findByLabelText('Your words to the answerers'), 'No.')
  await user.click(screen.getByRole('button', { name: 'Send as a remark' }))
  await expect.poll(() => sent).toEqual([{ kind: 'remark', text: 'No.', asked_at: at.asked_at }])
  await user.click(screen.getByRole('button', { name: 'Hide the question' }))
  await user.click(await screen.findByRole('button', { name: 'List' }))
  expect(await screen.findByRole('button', { name: /Who pays/ })).toBeDefined()
})

test('an admin sees which questions are with an expert, and takes the words of one over below the own draft', async () => {
  const eva = { id: 9, name: 'Eva Expert' }
  const asked = question(1, 'Who pays?', { status: 'draft', experts: [eva] })
  const at = '2026-11-20T09:00:00.000Z'
  const entry = { id: 3, kind: 'expert_drafted' as const, user_id: 9, user_name: eva.name, created_at: at, expert: eva }
  const work = { group_number: 1, approver: null, draft: 'The seller.', drafted_by: null, drafted_at: null }
  const more = { reach: 'group' as const, group_ids: [], blind_groups: [] }
  const passes = [{ expert: eva, asked_at: at, replied_at: null, bar: 'asks' as const }]
  serve(true)
    .on(api.questions.list, { questions: [asked], counts: COUNTS, next: null })
    .on(api.questions.get, {
      ...BARE,
      ...asked,
      work: { ...work, ...more, passes, entries: [{ ...entry, text: 'By § 4.' }] },
    })
  const { user } = renderAt(`/workspaces/5/questions?question=${asked.id}`)
  await user.click(await screen.findByRole('button', { name: 'Take over into the answer' }))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Answer').value).toBe('The seller.\n\nBy § 4.')
  expect(screen.getByText(/is in a group that asks/)).toBeDefined()
  expect(screen.getAllByText('With expert')).toHaveLength(2)
})

test('the words of an expert stay when the question is settled meanwhile', async () => {
  const id = '00000000-0000-4000-8000-000000000009'
  const passed = { id, subject: 'Is VAT due?', category: null, asked_at: '2026-11-20T09:00:00.000Z', due_on: null }
  const at = { ...passed, place: null, text: 'On the sale?', files: [], entries: [] }
  let state: 'waiting' | 'settled' = 'waiting'
  serve(false)
    .on(api.questions.getSettings, { shown: true, groups: [], categories: [], admins: [], passed: true, routes: [] })
    .on(api.experts.listPassed, { questions: [], next: null })
    .on(api.experts.getPassed, () => ({ ...at, state }))
    .on(api.experts.reply, () => {
      state = 'settled'
      throw new Error('settled')
    })
  const { user } = renderAt(`/workspaces/5/questions?passed=${id}`)
  await user.type(await screen.findByLabelText('Your words to the answerers'), 'No VAT.')
  await user.click(screen.getByRole('button', { name: 'Send as a draft answer' }))
  expect(await screen.findByText(/These words were not sent/)).toBeDefined()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your words to the answerers').value).toBe('No VAT.')
  expect(screen.queryByRole('button', { name: 'Send as a draft answer' })).toBeNull()
})

test('an admin who looks at what an expert sees is told whose view it is, and that terms await first', async () => {
  const eva = { id: 9, name: 'Eva Expert' }
  const at = '2026-11-20T09:00:00.000Z'
  const asked = question(1, 'Who pays?', { experts: [eva] })
  const work = { group_number: 1, approver: null, draft: '', drafted_by: null, drafted_at: null, entries: [] }
  const more = { reach: 'group' as const, group_ids: [], blind_groups: [] }
  const passes = [{ expert: eva, asked_at: at, replied_at: null, bar: null }]
  const entry = { kind: 'drafted' as const, own: true, user_name: eva.name, text: 'The seller.', created_at: at }
  const seen = { id: asked.id, subject: 'Who pays?', category: null, asked_at: at, due_on: null, place: null }
  serve(true)
    .on(api.questions.list, { questions: [asked], counts: COUNTS, next: null })
    .on(api.questions.get, { ...BARE, ...asked, work: { ...work, ...more, passes } })
    .on(api.experts.viewAs, { ...seen, state: 'waiting', text: '', files: [], entries: [entry] })
    .on(api.terms.foresee, { await: true, terms: [] })
  const { user } = renderAt(`/workspaces/5/questions?question=${asked.id}`)
  await user.click(await screen.findByRole('button', { name: 'More about Eva Expert' }))
  await user.click(await screen.findByRole('menuitem', { name: 'What this person sees' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'What Eva Expert sees' }))
  expect(await dialog.findByText(/Terms await first/)).toBeDefined()
  expect(dialog.getByText('Waits for this person')).toBeDefined()
  expect(dialog.getByText(/Eva Expert drafted an answer/)).toBeDefined()
})

test('an admin who looks through a person reads what was passed to that person, and can write nothing', async () => {
  const at = '2026-11-20T09:00:00.000Z'
  const id = '00000000-0000-4000-8000-000000000009'
  const passed = { id, subject: 'Is VAT due?', category: null, asked_at: at, due_on: null, place: null }
  const entry = { kind: 'drafted' as const, own: true, user_name: 'Eva Expert', text: 'No VAT.', created_at: at }
  const eva = member({ id: 1, user: { id: 31, last_name: 'Expert' }, groups: [{ id: 9, name: 'Advisers' }] })
  const other = member({ id: 2, user: { id: 32, last_name: 'Other' }, groups: [{ id: 9, name: 'Advisers' }] })
  serve(true)
    .on(api.workspaces.listMembers, [eva, other])
    .on(api.groups.list, [])
    .on(api.terms.foresee, { await: false, terms: [] })
    .on(api.questions.viewAs, { questions: [], counts: COUNTS, next: null })
    .on(api.experts.viewPassedAs, ({ params }) => ({
      questions: params.user_id === 31 ? [{ ...passed, state: 'replied' as const }] : [],
      next: null,
    }))
    .on(api.experts.viewAs, { ...passed, state: 'replied', text: 'On the sale?', files: [], entries: [entry] })
  const { user } = renderAt('/workspaces/5/view-as/questions?user=31')
  expect(await screen.findByRole('button', { name: 'For this person', pressed: true })).toBeDefined()
  await user.click(await screen.findByRole('button', { name: /Is VAT due/ }))
  expect(await screen.findByText('On the sale?')).toBeDefined()
  expect(screen.getByText(/Eva Expert drafted an answer/)).toBeDefined()
  expect(screen.getByText('This person has replied')).toBeDefined()
  expect(screen.queryByRole('textbox')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Hide the question' }))
  // The list is hidden from assistive technology until the sheet has closed.
  await user.click(await screen.findByRole('button', { name: 'List' }))
  expect(await screen.findByText('No questions to show')).toBeDefined()
  cleanup()
  renderAt('/workspaces/5/view-as/questions?user=32')
  expect(await screen.findByText('No questions to show')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'For this person' })).toBeNull()
})

test('the list of experts offers nobody in a group that asks, or has asked', async () => {
  const limit = { most: 50, days: null, used: 0 }
  const groups = [
    { group_id: 7, name: 'Northgate', may_ask: true, has_asked: false, ...limit },
    { group_id: 8, name: 'Southgate', may_ask: false, has_asked: true, ...limit },
  ]
  serve(true)
    .on(api.questions.getSettings, { shown: true, groups, categories: [], admins: [], passed: false, routes: [] })
    .on(api.experts.list, [])
    .on(api.workspaces.listMembers, [
      member({ id: 1, user: { id: 31, last_name: 'One' }, groups: [{ id: 7, name: 'Northgate' }] }),
      member({ id: 2, user: { id: 32, last_name: 'Two' }, groups: [{ id: 8, name: 'Southgate' }] }),
      member({ id: 3, user: { id: 33, last_name: 'Three' }, groups: [{ id: 9, name: 'Advisers' }] }),
    ])
  const { user } = renderAt('/workspaces/5/questions')
  await user.click(await screen.findByRole('button', { name: 'More about questions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Experts' }))
  await user.type(await screen.findByLabelText('Name a member an expert'), 'Bob')
  const isDisabled = async (name: RegExp) =>
    (await screen.findByRole('option', { name })).getAttribute('aria-disabled') === 'true'
  expect([await isDisabled(/One/), await isDisabled(/Two/), await isDisabled(/Three/)]).toEqual([true, true, false])
})

test('a tab that is older than the service shows states, ranks and steps that it does not know', async () => {
  const asked = question(1, 'Who pays?', { status: 'parked' as never, priority: 'urgent' as never })
  const at = '2026-11-20T09:00:00.000Z'
  const entry = {
    id: 3,
    kind: 'translated' as never,
    user_id: 9,
    user_name: 'Eva Expert',
    created_at: at,
    expert: null,
  }
  const pass = { expert: { id: 9, name: 'Eva Expert' }, asked_at: at, replied_at: null, bar: 'on_leave' as never }
  const work = { group_number: 1, approver: null, draft: '', drafted_by: null, drafted_at: null }
  const more = { reach: 'group' as const, group_ids: [], blind_groups: [], passes: [pass] }
  serve(true)
    .on(api.questions.list, { questions: [asked], counts: COUNTS, next: null })
    .on(api.questions.get, {
      ...BARE,
      ...asked,
      work: { ...work, ...more, entries: [{ ...entry, text: 'Wer zahlt?' }] },
    })
  renderAt(`/workspaces/5/questions?question=${asked.id}`)
  const notes = within(await screen.findByRole('region', { name: 'Internal notes' }))
  expect(notes.getByText(/took a step that this page does not know yet/)).toBeDefined()
  expect(screen.getAllByText('Another state').length).toBeGreaterThan(0)
  expect(screen.getByText('Sees no passed questions.')).toBeDefined()
})

/** Two categories with a route each, one without, and the dialog that sets them. */
async function openCategories() {
  const eva = { id: 9, name: 'Eva Admin' }
  const none = { assignee: null, approver: null, days: null }
  const settings = {
    shown: true,
    groups: [],
    passed: false,
    categories: ['Tax', 'Law', 'Staff'],
    admins: [eva, { id: 10, name: 'Max Admin' }],
    routes: [
      { ...none, category: 'Tax', assignee: eva, days: 5 },
      { ...none, category: 'Law', days: 2 },
    ],
  }
  const sent: unknown[] = []
  serve(true)
    .on(api.questions.getSettings, settings)
    .on(api.questions.updateSettings, ({ body }) => {
      sent.push(body)
      return settings
    })
  const { user } = renderAt('/workspaces/5/questions')
  await user.click(await screen.findByRole('button', { name: 'More about questions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Categories of questions' }))
  const dialog = within(await screen.findByRole('dialog'))
  const field = dialog.getByLabelText<HTMLTextAreaElement>('Categories, one in each line')
  const type = (text: string) => fireEvent.change(field, { target: { value: text } })
  const save = async () => {
    await user.click(dialog.getByRole('button', { name: 'Save categories' }))
    await expect.poll(() => sent).toHaveLength(1)
    return sent[0]
  }
  return { user, dialog, type, save }
}

test('a category that is typed through the name of another takes nothing of its route', async () => {
  const { type, save } = await openCategories()
  for (const line of ['Staf', 'Ta', 'Tax', 'Tax ', 'Tax law']) type(`Tax\nLaw\n${line}`)
  for (const line of ['L', 'Law', 'Law of t', 'Taxes']) type(`${line}\nLaw\nTax law`)
  expect(await save()).toEqual({
    categories: ['Taxes', 'Law', 'Tax law'],
    routes: [{ category: 'Taxes', assignee_id: 9, approver_id: null, days: 5 }, { category: 'Law' }],
  })
})

test('lines that are added, moved and removed leave the routes of the others', async () => {
  const { type, save } = await openCategories()
  type('Tax\nLaw\nStaff\nIT')
  type('Law\nTax\nIT')
  expect(await save()).toEqual({ categories: ['Law', 'Tax', 'IT'] })
})

test('only what was changed of a route is sent', async () => {
  const { user, dialog, save } = await openCategories()
  const law = within(dialog.getByRole('group', { name: 'Law' }))
  await user.click(law.getByLabelText('Approves'))
  await user.click(await screen.findByRole('option', { name: 'Max Admin' }))
  expect(await save()).toEqual({ routes: [{ category: 'Tax' }, { category: 'Law', approver_id: 10 }] })
})

test('the FAQ stays while it cannot be read again', async () => {
  const server = serve(false)
  renderAt('/workspaces/5/questions?view=faq')
  await screen.findByText('Which court?')
  const answer = server.calls.length
  server.fail(api.questions.listTexts, 503, 'The service is away.')
  void queryClient.invalidateQueries()
  const failed = () => server.calls.slice(answer).filter((call) => call.includes('/questions/texts'))
  await waitFor(() => expect(failed().length).toBeGreaterThan(2))
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(screen.getByText('Which court?')).toBeDefined()
})

test('an open question is read again, and so counts as seen, only in a tab that is shown and has the focus', async () => {
  const asked = question(1, 'Who pays?', { own: true })
  const fake = serve(false).on(api.questions.get, { ...asked, ...BARE, work: null })
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  renderAt(`/workspaces/5/questions?question=${asked.id}`)
  await screen.findByRole('region', { name: 'Who pays?' })
  const readings = () => fake.calls.filter((call) => call.endsWith(asked.id)).length
  const answer = (text: string) =>
    fake.on(api.questions.get, {
      ...asked,
      ...BARE,
      status: 'answered',
      answer: text,
      answered_at: asked.asked_at,
      work: null,
    })

  hasFocus.mockReturnValue(false)
  fireEvent.blur(window)
  hidden.mockReturnValue(true)
  fireEvent(document, new Event('visibilitychange'))
  answer('The seller')
  const before = readings()
  await act(() => refresh())
  hidden.mockReturnValue(false)
  fireEvent(document, new Event('visibilitychange', { bubbles: true }))
  await act(() => refresh())
  expect(readings()).toBe(before)
  expect(screen.queryByText('The seller')).toBeNull()

  hasFocus.mockReturnValue(true)
  fireEvent.focus(window)
  await screen.findByText('The seller')
  expect(readings()).toBe(before + 1)
})
