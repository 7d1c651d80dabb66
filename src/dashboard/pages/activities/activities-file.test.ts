import { describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { activity } from '../../testing/samples.ts'
import { formatActivities, readActivities } from './activities-file.ts'

describe('the file of exported activities', () => {
  it('I5: has no cell that a spreadsheet would evaluate', () => {
    const text = formatActivities([activity({ user_name: '=cmd|x', message: '@viewed "a", b', subject_id: -1 })])
    expect(text.split('\n')[1]).toBe(`2026-02-01T08:00:00.000Z,'=cmd|x,"'@viewed ""a"", b",viewed,Asset,-1,21`)
  })

  it('has every page that matches the filters, and each activity once although new ones shift the pages', async () => {
    const pages = [[5, 4, 3], [3, 2, 1], []]
    const fake = fakeApi().on(api.activities.list, ({ query }) => ({
      pagination: { total_items: 6, total_pages: 2, page: query.page, per_page: query.per_page },
      events: (pages[query.page - 1] ?? []).map((id) => activity({ id })),
    }))
    const { found, total } = await readActivities(5, new URLSearchParams('verb=viewed&page=2&per_page=25'))
    expect([found.map(({ id }) => id), total]).toEqual([[5, 4, 3, 2, 1], 6])
    expect(fake.calls.map((call) => call.split('?')[1])).toEqual([
      'page=1&per_page=100&verb=viewed',
      'page=2&per_page=100&verb=viewed',
    ])
  })
})
