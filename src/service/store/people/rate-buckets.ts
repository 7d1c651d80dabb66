import { sql } from 'kysely'
import type { RateStore } from '../../../wire/rates/rate-store.ts'
import type { Db } from '../../db/pool.ts'

export function createRateBuckets(db: Db): RateStore {
  return {
    async settle(taken) {
      const names = taken.map(({ name }) => name)
      // Sorted, so that two nodes never wait for each other.
      const { rows } = await sql<{ name: string; lack: number }>`
        insert into rate_buckets as bucket (name, full_at, most_ms)
        select name, now() + least(ms, most) * interval '1 ms', most
        from unnest(${names}::text[], ${taken.map(({ ms }) => ms)}::float8[], ${taken.map(({ mostMs }) => mostMs)}::float8[])
          as given (name, ms, most)
        order by name
        on conflict (name) do update set most_ms = excluded.most_ms, full_at =
          now() + least(greatest(bucket.full_at - now(), interval '0') + (excluded.full_at - now()),
            excluded.most_ms * interval '1 ms')
        returning name, (extract(epoch from full_at - now()) * 1000)::float8 as lack`.execute(db)
      const lacks = new Map(rows.map(({ name, lack }) => [name, lack]))
      return names.map((name) => lacks.get(name) ?? 0)
    },
    close: async () => {},
  }
}

export async function sweepRateBuckets(db: Db): Promise<void> {
  await sql`delete from rate_buckets where full_at < now()`.execute(db)
}
