import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { makeReport } from './report.ts'

const days = { from: '2026-11-11', to: '2026-11-24' }
const at = { first_at: '2026-11-12T08:00:00.000Z', last_at: '2026-11-24T08:50:00.000Z' }
const HOSTILE = '=1+1"</t>&'

test('the report has groups, all pages of documents and people, with hostile names as plain text', async () => {
  const group = { group_id: 3, name: HOSTILE, members: 8, active: 7, ms: 90_000, former_ms: 0, days: [], viewable: 9 }
  const fake = fakeApi()
    .on(api.engagement.groups, { ...days, groups: [{ ...group, opened: 4, views: 5, downloads: 6, ...at }] })
    .on(api.engagement.documents, ({ query: { page } }) => ({
      ...days,
      pagination: { total_items: 101, total_pages: 2, page, per_page: 100 },
      files: [
        {
          file_id: page,
          folder_id: 0,
          outline: `${page}`,
          title: `Plan ${page}`,
          kind: 'pdf' as const,
          pages: 12,
          cells: [{ group_id: 3, access: page === 1, ms: 0, readers: 0, views: 0, downloads: 0 }],
        },
      ],
    }))
    .on(api.engagement.people, ({ query: { page } }) => ({
      ...days,
      pagination: { total_items: 1, total_pages: 1, page, per_page: 100 },
      people: [{ user_id: 5, user_name: 'Tom', group_ids: [3, 9], ms: 6000, views: 1, downloads: 0, ...at }],
    }))
  const parts = unzipSync(new Uint8Array(await (await makeReport(5, days, 'Report')).arrayBuffer()))
  const textsOf = (sheet: number) => {
    const xml = new TextDecoder().decode(parts[`xl/worksheets/sheet${sheet}.xml`])
    const body = new DOMParser().parseFromString(xml, 'application/xml')
    return [...body.querySelectorAll('row')].map((row) =>
      [...row.querySelectorAll('c')].map((cell) => cell.textContent),
    )
  }
  expect(textsOf(1)[1]).toEqual([HOSTILE, '8', '7', '1.5', '0', '4', '9', '5', '6', at.first_at, at.last_at])
  expect(textsOf(2).slice(1)).toEqual([
    ['1', 'Plan 1', '12', 'not opened'],
    ['2', 'Plan 2', '12', 'no access'],
  ])
  expect(textsOf(3)[1]).toEqual(['Tom', HOSTILE, '0.1', '1', '0', at.first_at, at.last_at])
  expect(Object.keys(parts)).toContain('xl/worksheets/_rels/sheet3.xml.rels')
  expect(fake.calls.filter((call) => call.includes('from=2026-11-11'))).toHaveLength(4)
})
