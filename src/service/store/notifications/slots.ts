import { sql } from 'kysely'
import { toIanaZone } from '../../../contract/time-zones.ts'
import type { Db } from '../../db/pool.ts'
import { dayAfter, dayAt, startOf, type Zone, zoneOf } from '../audit/local-days.ts'

/** Daily and weekly mails come at this hour of the person's clock, the weekly ones on Mondays. */
const HOUR_MS = 8 * 3_600_000

/** The last times at which daily and weekly mails were to come, for each time zone that somebody has. */
export interface Slots {
  time_zones: string[]
  daily_at: string[]
  weekly_at: string[]
}

export async function readSlots(db: Db, asOf: Date): Promise<Slots> {
  const { rows } = await sql<{ time_zone: string }>`
    with recursive zone as (
      select min(time_zone) as time_zone from users
      union all select (select min(u.time_zone) from users u where u.time_zone > zone.time_zone) from zone
      where zone.time_zone is not null
    )
    select time_zone from zone where time_zone is not null`.execute(db)
  const time_zones = rows.map(({ time_zone }) => time_zone)
  const slots = time_zones.map((name) => slotsOf(name, asOf.getTime()))
  return { time_zones, daily_at: slots.map(({ daily }) => daily), weekly_at: slots.map(({ weekly }) => weekly) }
}

export function slotsOf(timeZone: string, asOf: number): { daily: string; weekly: string } {
  const zone = knownZone(timeZone)
  const today = dayAt(asOf, zone)
  const daily = asOf >= mailTimeOf(today, zone) ? today : dayAfter(today, -1)
  const monday = dayAfter(daily, -((new Date(daily).getUTCDay() + 6) % 7))
  const at = (day: string) => new Date(mailTimeOf(day, zone)).toISOString()
  return { daily: at(daily), weekly: at(monday) }
}

const mailTimeOf = (day: string, zone: Zone) => startOf(day, zone) + HOUR_MS

function knownZone(name: string): Zone {
  try {
    return zoneOf(toIanaZone(name))
  } catch {
    return undefined
  }
}
