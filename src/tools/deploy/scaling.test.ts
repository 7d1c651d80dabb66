import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../service/base/config.ts'
import { ensureInstalled } from '../../service/testing/system-packages.ts'
import { ROOT } from '../sources.ts'
import { testRules } from './test-rules.ts'

const hasPrometheus = await ensureInstalled('prometheus')
const read = (path: string) => readFileSync(join(ROOT, 'deploy', path), 'utf8')

interface Rules {
  groups: { rules: { record: string; expr: string; labels: { work: string } }[] }[]
}
const rules = (parse(read('scaling.yaml')) as Rules).groups.flatMap((group) => group.rules)

test('each of WORKER_KINDS is scaled by the jobs that such a worker runs', () => {
  const kindsOf = (WORKER_KINDS: string) =>
    readConfig({ DATABASE_URL: 'postgresql://a@b/c', MASTER_KEY: 'a'.repeat(64), WORKER_KINDS }).jobKinds
  const { worker } = parse(read('helm/values.yaml')) as { worker: { kinds: string } }
  expect(rules.map(({ labels }) => labels.work)).toEqual(worker.kinds.split(','))
  for (const { expr, labels } of rules) {
    const [, kinds = ''] = /strongroom_job_age_seconds\{kind=~?"([\w|]+)"\}/.exec(expr) ?? []
    expect(kinds.split('|')).toEqual(kindsOf(labels.work))
  }
})

test('the autoscaler asks for the metric that the adapter makes of the recorded series', () => {
  const [{ seriesQuery = '', name, metricsQuery = '' } = {}] = (
    parse(read('prometheus-adapter.yaml')) as {
      externalRules: { seriesQuery: string; name: { as: string }; metricsQuery: string }[]
    }
  ).externalRules
  expect(new Set(rules.map(({ record }) => `{__name__="${record}"}`))).toEqual(new Set([seriesQuery]))
  expect(metricsQuery).toMatch(/^max\(/)
  const [, metric, label] =
    /metric: \{ name: (\w+), selector: \{ matchLabels: \{ (\w+):/.exec(read('helm/templates/availability.yaml')) ?? []
  expect({ metric, label }).toEqual({ metric: name?.as, label: 'work' })
  expect(read('prometheus-adapter.yaml')).toContain(`query: max(${rules[0]?.record}{`)
})

test.runIf(hasPrometheus)('ten nodes that see one queue do not make its jobs older', async () => {
  const seen = (kind: string, age: number) =>
    Array.from({ length: 10 }, (_, node) => ({
      series: `strongroom_job_age_seconds{namespace="rooms",instance="${node}",process="worker",kind="${kind}"}`,
      values: `${age}x10`,
    }))
  const recorded = (work: string, value: number) => ({
    labels: `strongroom:job_age_seconds:max{namespace="rooms",work="${work}"}`,
    value,
  })
  const said = testRules('scaling.yaml', [
    {
      series: [...seen('mail', 3), ...seen('examine', 20), ...seen('zip', 0), ...seen('ingest', 45)],
      queries: [
        {
          expr: 'strongroom:job_age_seconds:max',
          samples: [recorded('mail', 20), recorded('zip', 0), recorded('convert', 45)],
        },
      ],
    },
  ])
  await expect(said).resolves.toContain('SUCCESS')
})
