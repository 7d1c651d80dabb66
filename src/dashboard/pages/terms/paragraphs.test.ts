import { expect, it } from 'vitest'
import { goneFrom, paragraphsOf } from './paragraphs.ts'

const first = '1 What is confidential\nEverything.\n\n2 Who may read it\nOnly you.'
const second = `${first}\n\n3 Advisers\nThey are named.`

it('divides a text into headings and paragraphs', () => {
  expect(paragraphsOf(`Preamble.\n \n${first}`)).toEqual([
    { heading: undefined, text: 'Preamble.', isNew: false },
    { heading: '1 What is confidential', text: 'Everything.', isNew: false },
    { heading: '2 Who may read it', text: 'Only you.', isNew: false },
  ])
})

it('takes no sentence that begins with a number for a heading', () => {
  expect(paragraphsOf('14 days after signing all copies are destroyed.')[0]?.heading).toBeUndefined()
  expect(paragraphsOf('§ 4.1 Term\nTwo years.')[0]?.heading).toBe('§ 4.1 Term')
})

it('marks what the reader has not accepted before', () => {
  expect(paragraphsOf(second, first).map(({ isNew }) => isNew)).toEqual([false, false, true])
  expect(paragraphsOf(second).some(({ isNew }) => isNew)).toBe(false)
  expect(goneFrom(first, second)).toBe(1)
  expect(goneFrom(second, first)).toBe(0)
})
