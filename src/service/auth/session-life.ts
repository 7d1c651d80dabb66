import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a row of `sessions s` is still live: seen in the last 12 hours and begun in the last 30 days. The proxy's
 * cookies have the same limits.
 */
export function isLiveSession(now: Date | RawBuilder<Date>): RawBuilder<boolean> {
  return sql`(s.last_seen_at > ${now}::timestamptz - interval '12 hours'
    and s.created_at > ${now}::timestamptz - interval '30 days')`
}
