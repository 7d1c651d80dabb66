import { describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { feedEvent } from '../../testing/samples.ts'
import { formatActivities, readActivities } from './activities-file.ts'

describe('the file of exported activities', () => {
  it('I5: has no cell that a spreadsheet would evaluate', () => {
    const text = formatActivities([feedEvent({ user_name: '=cmd|x', message: '@viewed "a", b', subject_id: -1 })])
    expect(text.split('\n')[1]).toBe(`2026-02-01T08:00:00.000Z,'=cmd|x,"'@viewed ""a"", b",viewed,Asset,-1,21`)
  })

  it('has every act that matches the filters, page by page, also those of zips', async () => {
    const pages = { first: [5, 4, 3], '1_3': [2, 1] }
    const fake = fakeApi().on(api.activities.feed, ({ query: { after = 'first' } }) => ({
      events: pages[after as keyof typeof pages].map((id) => feedEvent({ id })),
      next: after === 'first' ? '1_3' : null,
    }))
    const { found, hasMore } = await readActivities(
      5,
      new URLSearchParams('subject_type=Folder&subject_id=8&after=9_9'),
    )
    expect([found.map(({ id }) => id), hasMore]).toEqual([[5, 4, 3, 2, 1], false])
    const queries = fake.calls.map((call) => new URLSearchParams(call.split('?')[1]))
    expect(queries.map((query) => ['folder_id', 'together', 'after'].map((name) => query.get(name)))).toEqual([
      ['8', 'false', null],
      ['8', 'false', '1_3'],
    ])
  })
})
