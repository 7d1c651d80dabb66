import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import type { Document } from '../../shared/documents.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { workspace } from '../../testing/samples.ts'

const document = (file_id: number, more: Partial<Document> = {}): Document => ({
  file_id,
  title: `Survey ${file_id}.pdf`,
  folder_id: 2,
  folder_path: '/Property/Surveys',
  numbered_folder_path: '/2 Property/2.1 Surveys',
  version: 1,
  file_content_type: 'application/pdf',
  kind: 'pdf',
  file_size: '2048',
  status: 'Failed',
  infected: null,
  reason: 'The document is protected by a password.',
  reason_code: 'encrypted',
  reason_params: {},
  attempts: 3,
  next_attempt_at: null,
  updated_at: '2026-11-20T09:00:00.000Z',
  ...more,
})

const all = [
  document(1),
  document(2, { status: 'Unsupported', reason: 'Preview needs LibreOffice.', reason_code: null, attempts: 0 }),
  document(3, { status: 'Processing', reason: '', reason_code: null, attempts: 1 }),
]

function serve() {
  const asked: (number[] | undefined)[] = []
  const server = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.documents.list, ({ query }) =>
      query.status === 'failed' ? all.filter(({ status }) => status === 'Failed') : all,
    )
    .on(api.documents.retry, ({ body }) => {
      asked.push(body.file_ids)
      return { retried: 1, message: 'had 1 document read again' }
    })
  return { server, asked }
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })

test('each document says in words what is wrong with it', async () => {
  serve()
  renderAt('/workspaces/5/documents')
  expect(within(await row('Survey 1')).getByText('The document is protected by a password.')).toBeTruthy()
  expect(within(await row('Survey 1')).getByText('3 tries')).toBeTruthy()
  expect(within(await row('Survey 2')).getByText('Preview needs LibreOffice.')).toBeTruthy()
  const reading = within(await row('Survey 3'))
  expect(reading.getByText('Is being read')).toBeTruthy()
  expect(reading.queryByRole('button')).toBeNull()
  const link = within(await row('Survey 1')).getByRole('link', { name: 'Survey 1.pdf' })
  expect(link.getAttribute('href')).toBe('/workspaces/5/files/2?file=1')
})

test('one document is retried, or all that failed', async () => {
  const { asked } = serve()
  const { user } = renderAt('/workspaces/5/documents')
  await user.click(within(await row('Survey 1')).getByRole('button', { name: 'Try Survey 1.pdf again' }))
  await screen.findByText('“Survey 1.pdf” will be read again.')
  await user.click(screen.getByRole('button', { name: 'Try all failed again' }))
  await screen.findByText('1 document will be read again.')
  expect(asked).toEqual([[1], undefined])
})

test('the chosen status is in the address', async () => {
  serve()
  const { user, address } = renderAt('/workspaces/5/documents')
  await row('Survey 2')
  await user.click(screen.getByRole('button', { name: 'Failed' }))
  await waitFor(() => expect(screen.queryByText('Survey 2.pdf')).toBeNull())
  expect(address()).toBe('/workspaces/5/documents?status=failed')
})

test('a member is told that the page is for workspace admins', async () => {
  const { server } = serve()
  server.fail(api.documents.list, 403, 'Only workspace admins may do this.')
  renderAt('/workspaces/5/documents')
  expect(await screen.findByRole('heading', { name: 'You may not see this' })).toBeTruthy()
  expect(screen.getByText('Only workspace admins may do this.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try all failed again' })).toBeNull()
})
