import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderElement } from '../../../testing/render-element.tsx'
import type { Entry } from '../../../shared/listing/entries.ts'
import { NameField } from './name-field.tsx'

const stored = async (kind: Entry['kind'], name: string, typed: string): Promise<string | undefined> => {
  const onSave = vi.fn<(name: string) => void>()
  const entry = { kind, name } as Entry
  const { user, unmount } = renderElement(
    <NameField entry={entry} error={undefined} pending={false} onSave={onSave} onCancel={() => undefined} />,
  )
  await user.clear(screen.getByRole('textbox'))
  await user.type(screen.getByRole('textbox'), `${typed}{Enter}`)
  unmount()
  return onSave.mock.calls[0]?.[0]
}

test('a file keeps its extension, once, unless another one was typed', async () => {
  expect(await stored('file', 'Lease.pdf', 'Rent.pdf.PDF')).toBe('Rent.pdf')
  expect(await stored('file', 'Lease.pdf', 'Rent')).toBe('Rent.pdf')
  expect(await stored('file', 'Lease.pdf', 'Rent.docx')).toBe('Rent.docx')
  expect(await stored('file', 'Lease.pdf', 'Contract no. 17')).toBe('Contract no. 17.pdf')
  expect(await stored('file', 'README', 'LICENCE')).toBe('LICENCE')
  expect(await stored('file', 'Minutes 4.7', 'Minutes, final')).toBe('Minutes, final')
  expect(await stored('file', 'Budget.xlsx', 'Budget v1.2')).toBe('Budget v1.2.xlsx')
  expect(await stored('folder', 'Leases v1.0', 'Rents')).toBe('Rents')
  expect(await stored('file', 'Lease.pdf', '   ')).toBeUndefined()
})
