import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ensureInstalled } from '../../service/testing/system-packages.ts'
import { ROOT } from '../sources.ts'
import { testRules } from './test-rules.ts'

const hasPrometheus = await ensureInstalled('prometheus')

interface Rules {
  groups: { rules: { alert: string; annotations: { summary: string; action: string } }[] }[]
}
const alerts = (parse(readFileSync(join(ROOT, 'deploy/alerts.yaml'), 'utf8')) as Rules).groups.flatMap(
  ({ rules }) => rules,
)

type Series = Record<string, string>

const DAY = 86_400
const at = (instance: string) => `{job="strongroom",instance="${instance}",process="service"}`
const requests = (status: string, buckets: Series): Series =>
  Object.fromEntries(
    Object.entries(buckets).map(([le, values]) => [
      `strongroom_http_request_duration_seconds_${le === 'count' ? 'count' : 'bucket'}{endpoint="groups.list",status="${status}"${le === 'count' ? '' : `,le="${le}"`}}`,
      values,
    ]),
  )
const ages = (kind: string, values: string): Series => ({
  [`strongroom_job_age_seconds{instance="a",kind="${kind}"}`]: values,
  [`strongroom_job_age_seconds{instance="b",kind="${kind}"}`]: values,
})
const disk = (free: number): Series => ({
  'strongroom_disk_free_bytes{instance="a",folder="data"}': `${free}x60`,
  'strongroom_disk_size_bytes{instance="a",folder="data"}': '1000x60',
})

/** For each alert, what makes it fire in half an hour, and what is close but does not. */
const CASES: Record<string, { fires: Series; keepsQuiet: Series; alerts?: number }> = {
  StrongroomDown: {
    fires: { [`up${at('a')}`]: '0x60', [`up${at('b')}`]: '1x60' },
    keepsQuiet: { [`up${at('a')}`]: '1x27 0 1x30', 'up{job="node"}': '0x60' },
  },
  StrongroomErrors: {
    fires: { ...requests('5xx', { count: '0+3x60' }), ...requests('2xx', { count: '0+97x60' }) },
    keepsQuiet: { ...requests('5xx', { count: '0+1x60' }), ...requests('2xx', { count: '0+99x60' }) },
  },
  StrongroomSlow: {
    fires: requests('2xx', { '0.5': '0+90x60', '2.5': '0+100x60', '+Inf': '0+100x60' }),
    keepsQuiet: requests('2xx', { '0.5': '0+96x60', '2.5': '0+100x60', '+Inf': '0+100x60' }),
  },
  StrongroomDatabaseConnections: {
    fires: { [`strongroom_db_waiting${at('a')}`]: '2x60' },
    keepsQuiet: { [`strongroom_db_waiting${at('a')}`]: '9x27 0 9x1' },
  },
  StrongroomReplicaAway: {
    fires: { [`strongroom_replica_up${at('a')}`]: '0x60' },
    keepsQuiet: { [`strongroom_replica_up${at('a')}`]: '1x26 0x3' },
  },
  StrongroomReplicaBehind: {
    fires: { [`strongroom_replica_lag_seconds${at('a')}`]: '31x60' },
    keepsQuiet: { [`strongroom_replica_lag_seconds${at('a')}`]: '29x26 600x3' },
  },
  StrongroomContentStoreAway: {
    fires: { [`strongroom_content_store_up${at('a')}`]: '0x60', [`strongroom_content_store_up${at('b')}`]: '0x60' },
    keepsQuiet: { [`strongroom_content_store_up${at('a')}`]: '1x28 0x1' },
    alerts: 2,
  },
  StrongroomDiskFull: { fires: disk(99), keepsQuiet: disk(101) },
  StrongroomContentDamaged: {
    fires: {
      'strongroom_content_damaged{instance="a",damage="missing"}': '0x20 1x40',
      'strongroom_content_damaged{instance="b",damage="missing"}': '0x20 1x40',
    },
    keepsQuiet: { 'strongroom_content_damaged{instance="a",damage="missing"}': '1x20 0x40' },
  },
  StrongroomBackupOld: {
    fires: { [`strongroom_backup_age_seconds${at('a')}`]: `${8 * DAY + 1}x60` },
    keepsQuiet: { [`strongroom_backup_age_seconds${at('a')}`]: `${8 * DAY - 1}x60` },
  },
  StrongroomBackupFailed: {
    fires: { [`strongroom_backup_failed${at('a')}`]: '1x60' },
    keepsQuiet: { [`strongroom_backup_failed${at('a')}`]: '0x60' },
  },
  StrongroomQueueOld: { fires: ages('zip', '601x60'), keepsQuiet: ages('zip', '400x60') },
  StrongroomMailOld: { fires: ages('expert_mail', '121x60'), keepsQuiet: ages('ingest', '121x60') },
  StrongroomJobsParked: {
    fires: { 'strongroom_jobs_parked{instance="a",kind="zip"}': '1x60' },
    keepsQuiet: { 'strongroom_jobs_parked{instance="a",kind="zip"}': '1x10 0x50' },
  },
  StrongroomTermsUnscanned: {
    fires: { [`strongroom_terms_unscanned_age_seconds${at('a')}`]: '901x60' },
    keepsQuiet: { [`strongroom_terms_unscanned_age_seconds${at('a')}`]: '899x60' },
  },
  StrongroomNodeAway: {
    fires: { 'strongroom_service_nodes{instance="proxy",state="away"}': '1x60' },
    keepsQuiet: { 'strongroom_service_nodes{instance="proxy",state="ready"}': '2x60' },
  },
  StrongroomEventLoop: {
    fires: { [`nodejs_eventloop_lag_p99_seconds${at('a')}`]: '0.3x60' },
    keepsQuiet: { [`nodejs_eventloop_lag_p99_seconds${at('a')}`]: '0.1x60' },
  },
  StrongroomGuesses: {
    fires: { 'strongroom_refusals_total{reason="too_many_guesses"}': '0+61x60' },
    keepsQuiet: { 'strongroom_refusals_total{reason="wrong_code"}': '0+61x60' },
  },
}

const toSeries = (all: Series) => Object.entries(all).map(([series, values]) => ({ series, values }))
/** How many alerts of this name fire after half an hour. */
const firing = (alert: string, count: number) => ({
  expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
  samples: count === 0 ? [] : [{ labels: '{}', value: count }],
  minutes: 29,
})

test('each alert has a case, and says what to do', () => {
  expect(alerts.map(({ alert }) => alert)).toEqual(Object.keys(CASES))
  for (const { annotations } of alerts) expect([annotations.summary, annotations.action]).not.toContain(undefined)
})

test.runIf(hasPrometheus).each(Object.entries(CASES))('%s fires when it should, and only then', async (alert, each) => {
  const said = testRules('alerts.yaml', [
    { series: toSeries(each.fires), queries: [firing(alert, each.alerts ?? 1)] },
    { series: toSeries(each.keepsQuiet), queries: [firing(alert, 0)] },
  ])
  await expect(said).resolves.toContain('SUCCESS')
})
