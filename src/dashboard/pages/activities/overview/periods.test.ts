import { describe, expect, it } from 'vitest'
import { periodsOf } from './periods.ts'

const day = (day: string, views: number) => ({ day, views, downloads: 1, others: 0 })

describe('the columns of the chart', () => {
  it('are days, including days on which nothing happened', () => {
    const periods = periodsOf({
      from: '2026-02-27',
      to: '2026-03-02',
      days: [day('2026-02-27', 2), day('2026-03-02', 3)],
    })
    expect(periods.map(({ name, views }) => `${name}: ${views}`)).toEqual([
      '27 Feb 2026: 2',
      '28 Feb 2026: 0',
      '1 Mar 2026: 0',
      '2 Mar 2026: 3',
    ])
  })

  it('are weeks if there are many days; the last week may be shorter', () => {
    const periods = periodsOf({
      from: '2026-01-01',
      to: '2026-04-01',
      days: [day('2026-01-07', 1), day('2026-01-08', 2), day('2026-04-01', 4)],
    })
    expect(periods).toHaveLength(13)
    expect(periods.slice(0, 2).map(({ name, views }) => [name, views])).toEqual([
      ['1 Jan 2026 – 7 Jan 2026', 1],
      ['8 Jan 2026 – 14 Jan 2026', 2],
    ])
    expect(periods.at(-1)).toMatchObject({ name: '26 Mar 2026 – 1 Apr 2026', views: 4, downloads: 1 })
  })
})
