import { writeFile } from 'node:fs/promises'

/** A measured waiting time of a person at a browser, or a load on the browser. */
export interface WebFigure {
  work: string
  unit: 'kB' | 'ms' | 's' | 'per s' | 'MiB' | 'score' | 'count'
  ours: number
  goal?: { atMost: number } | { atLeast: number }
}

export interface Facts {
  commit: string
  browser: string
  /** One-minute averages before and after each measurement: figures from a busy machine are only hints. */
  load_average: number[]
}

/** Prints the figures as a table and writes them to `file` as JSON. */
export async function reportWeb(figures: WebFigure[], facts: Facts, file: string): Promise<void> {
  console.table(
    figures.map((figure) => ({
      work: figure.work,
      ours: shown(figure.ours),
      unit: figure.unit,
      goal: goalText(figure),
      '': verdictOn(figure),
    })),
  )
  console.log(`Load of this machine meanwhile: ${facts.load_average.map((load) => load.toFixed(1)).join(', ')}`)
  const measured_at = new Date().toISOString()
  const all = figures.map((figure) => ({ ...figure, verdict: verdictOn(figure) }))
  await writeFile(file, `${JSON.stringify({ measured_at, ...facts, figures: all }, null, 2)}\n`)
  console.log(`The same as JSON: ${file}`)
}

function goalText({ goal }: WebFigure): string {
  if (!goal) return ''
  return 'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`
}

function verdictOn({ ours, goal }: WebFigure): 'met' | 'NOT MET' | '' {
  if (!goal) return ''
  return ('atMost' in goal ? ours <= goal.atMost : ours >= goal.atLeast) ? 'met' : 'NOT MET'
}

const shown = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(3)))

/** Returns the value that `percent` of the values do not exceed, NaN without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN
}
