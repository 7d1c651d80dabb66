import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../sources.ts'
import { command } from './commands.ts'

export interface RuleCase {
  /** In the notation of promtool, one value each minute: `0+10x20` grows by ten, `_` is absent. */
  series: { series: string; values: string }[]
  queries: { expr: string; samples: { labels: string; value: number }[]; minutes?: number }[]
}

const AFTER_MINUTES = 5

/** Lets Prometheus evaluate a file of rules on these series. @returns what promtool says @throws Error with what differs */
export async function testRules(file: string, cases: readonly RuleCase[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-rules-'))
  const tests = {
    rule_files: [join(ROOT, 'deploy', file)],
    evaluation_interval: '1m',
    tests: cases.map(({ series, queries }) => ({
      interval: '1m',
      input_series: series,
      promql_expr_test: queries.map(({ expr, samples, minutes = AFTER_MINUTES }) => ({
        expr,
        eval_time: `${minutes}m`,
        exp_samples: samples,
      })),
    })),
  }
  const path = join(folder, 'tests.json')
  await writeFile(path, JSON.stringify(tests))
  return command(['promtool', 'test', 'rules', path]).finally(() => rm(folder, { recursive: true }))
}
