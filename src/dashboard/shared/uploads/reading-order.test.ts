import { expect, test } from 'vitest'
import { inReadingOrder } from './reading-order.ts'
import type { ChosenFile } from './upload.ts'

const file = (path: string) => Object.assign(new File(['x'], path.split('/').at(-1) ?? ''), { path })
const pathsOf = (files: readonly ChosenFile[]) => files.map(({ path }) => path)

test('files go folder by folder, as people number them', async () => {
  const files = ['/Deal/10.pdf', '/Annex/1.pdf', '/Deal/9.pdf', './b.pdf'].map(file)
  expect(pathsOf(await inReadingOrder(files))).toEqual(['./b.pdf', '/Annex/1.pdf', '/Deal/9.pdf', '/Deal/10.pdf'])
})

test('what the system put beside the files stays away', async () => {
  const files = ['/Deal/.DS_Store', '/Deal/a.pdf', 'Thumbs.db'].map(file)
  expect(pathsOf(await inReadingOrder(files))).toEqual(['/Deal/a.pdf'])
})
