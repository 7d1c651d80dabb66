import { screen, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { workspace } from '../../testing/samples.ts'
import type { Question } from './questions.ts'

beforeAll(() => import('./questions-page.tsx'))

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
  ...more,
})

const ALL = [
  question(1, 'Who pays?'),
  question(2, 'Which law?', { priority: 'high', due_on: '2020-01-01' }),
  question(3, 'Which berth?', { status: 'answered' }),
]
const COUNTS = { to_approve: 0, open: 2, draft: 0, answered: 1, closed: 0, withdrawn: 0, overdue: 1 }

const serve = (admin: boolean) =>
  fakeApi()
    .on(api.workspaces.get, workspace({ admin }))
    .on(api.questions.getSettings, { shown: true, groups: [], categories: [], admins: [] })
    .on(api.questions.list, ({ query }) => ({
      questions: ALL.filter(({ status }) => query.status === undefined || status === query.status),
      counts: COUNTS,
      next: null,
    }))
    .on(api.questions.listTexts, ({ query }) => ({
      questions: query.faq
        ? [
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

test('answers to all are read with their questions, and only admins have a board', async () => {
  serve(false)
  const { user, address } = renderAt('/workspaces/5/questions?view=board')
  expect(await screen.findByRole('list', { name: 'Questions' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Board' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Answers to all' }))
  const article = await screen.findByRole('article')
  expect(article.textContent).toContain('Of the plan')
  expect(article.textContent).toContain('Berth 3')
  expect(address()).toBe('/workspaces/5/questions?view=faq')
})
