import { expect, test } from 'vitest'
import { withFile, withFolder } from './foreseen.ts'
import { contentOf, fileNamed, folderNamed } from '../testing/entries.ts'

const content = contentOf(
  [
    folderNamed(11, 'Corporate', { index: 1 }),
    folderNamed(12, 'Finance', { index: 2 }),
    folderNamed(13, 'Legal', { index: 3 }),
  ],
  [fileNamed(21, 'Minutes.pdf', { index: 1 })],
)
const folders = (after: typeof content) => after.immediate_subfolders.map(({ index, name }) => `${index} ${name}`)

test('a folder that takes another place shifts those in between', () => {
  expect(folders(withFolder(content, 11, { index: 3 }))).toEqual(['1 Finance', '2 Legal', '3 Corporate'])
  expect(folders(withFolder(content, 13, { index: 1 }))).toEqual(['1 Legal', '2 Corporate', '3 Finance'])
})

test('files keep their numbers behind the folders when they change places', () => {
  const deep = { outline: '2.4', folder_id: 2 }
  const two = contentOf(
    [],
    [fileNamed(21, 'A.pdf', { ...deep, index: 1 }), fileNamed(22, 'B.pdf', { ...deep, outline: '2.5', index: 2 })],
  )
  const { immediate_subfiles } = withFile(two, 22, { index: 1 })
  expect(immediate_subfiles.map(({ outline, title }) => `${outline} ${title}`)).toEqual(['2.4 B.pdf', '2.5 A.pdf'])
})

test('a new name changes nothing else', () => {
  expect(folders(withFolder(content, 12, { name: 'Treasury' }))).toEqual(['1 Corporate', '2 Treasury', '3 Legal'])
  expect(withFile(content, 21, { name: 'Notes.pdf' }).immediate_subfiles[0]).toMatchObject({
    title: 'Notes.pdf',
    index: 1,
  })
})
