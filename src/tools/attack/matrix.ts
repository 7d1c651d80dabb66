import { tableOf } from '../generate/markdown-table.ts'
import { CASES, FAMILIES } from './cases.ts'

const INTRODUCTION = `# Attack cases

Made by \`npm run test:attack -- --matrix\` from \`src/tools/attack/cases.ts\`. \`npm run test:attack\` runs the tests of every
case; \`npm run test:attack -- A K7\` those of a family or of one case. \`npm test\` runs them too.
`

const HEAD = ['id', 'attack or fault', 'what must happen', 'not automated']

/** Formats the cases as Markdown, with one table for each family. */
export function attackMatrix(): string {
  const families = Object.entries(FAMILIES).map(([letter, name]) => {
    const rows = CASES.filter(({ id }) => id.startsWith(letter)).map(({ id, what, outcome, notAutomated = '' }) =>
      [id, what, outcome, notAutomated].map((cell) => cell.replaceAll('|', '\\|')),
    )
    return `## ${letter}. ${name}\n\n${tableOf([HEAD, ...rows])}\n`
  })
  return [INTRODUCTION, ...families].join('\n')
}
