import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Rate } from '../../../wire/rates/rate-limit.ts'
import type { RateStore } from '../../../wire/rates/rate-store.ts'
import { tooManyAttempts } from '../../base/errors.ts'
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

/**
 * Takes one event from a bucket, for all nodes together whatever their RATE_STORE. If the transaction is rolled back,
 * nothing was taken.
 * @throws ApiError 429 if none is left
 */
export async function takeFromBucket(db: Db, name: string, { count, periodMs, burst }: Rate): Promise<void> {
  const key = hash('sha256', name)
  const each = sql`${periodMs / count} * interval '1 ms'`
  const most = (periodMs / count) * burst
  const fullAt = sql`greatest(bucket.full_at, now()) + ${each}`
  const { rows: taken } = await sql`
    insert into rate_buckets as bucket (name, full_at, most_ms) values (${key}, now() + ${each}, ${most})
    on conflict (name) do update set most_ms = excluded.most_ms, full_at = ${fullAt}
      where ${fullAt} <= now() + ${most} * interval '1 ms'
    returning name`.execute(db)
  if (taken.length > 0) return
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from ${fullAt} - now())::float8 - ${most / 1000} as wait
    from rate_buckets bucket where name = ${key}`.execute(db)
  throw tooManyAttempts(Math.max(1, Math.ceil(rows[0]?.wait ?? 0)))
}

export async function sweepRateBuckets(db: Db): Promise<void> {
  await sql`delete from rate_buckets where full_at < now()`.execute(db)
}
