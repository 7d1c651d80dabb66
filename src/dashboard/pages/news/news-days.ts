import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { dayOf } from '../../ui/words/format.ts'

export type NewsItem = Reply<typeof api.news.list>['items'][number]

export interface NewsDay {
  day: string
  /** A time of the day. */
  at: string
  rooms: { workspaceId: number; items: NewsItem[] }[]
}

/** The news of each day by workspace, in their order. */
export function daysOf(items: readonly NewsItem[]): NewsDay[] {
  return [...Map.groupBy(items, ({ at }) => dayOf(at))].map(([day, ofDay]) => ({
    day,
    at: ofDay[0]?.at ?? '',
    rooms: [...Map.groupBy(ofDay, ({ workspace_id }) => workspace_id)].map(([workspaceId, inRoom]) => ({
      workspaceId,
      items: inRoom,
    })),
  }))
}
