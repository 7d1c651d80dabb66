import { expect, test } from 'vitest'
import { inReadingOrder } from './reading-order.ts'
import type { ChosenFile } from '../upload.ts'

const file = (path: string) => Object.assign(new File(['x'], path.split('/').at(-1) ?? ''), { path })
const pathsOf = (files: readonly ChosenFile[]) => files.map(({ path }) => path)

test('files are ordered by folder, with numbers in natural order', async () => {
  const files = ['/Deal/10.pdf', '/Annex/1.pdf', '/Deal/9.pdf', './b.pdf'].map(file)
  expect(pathsOf(await inReadingOrder(files))).toEqual(['./b.pdf', '/Annex/1.pdf', '/Deal/9.pdf', '/Deal/10.pdf'])
})

test('files that the operating system added are left out', async () => {
  const files = ['/Deal/.DS_Store', '/Deal/a.pdf', 'Thumbs.db'].map(file)
  expect(pathsOf(await inReadingOrder(files))).toEqual(['/Deal/a.pdf'])
})
