import type { AnyEndpoint } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { tagOf } from '../../contract/openapi.ts'
import { accessMatrix, ROLE_NAMES, ROLES, type Row } from '../../service/testing/access-matrix.ts'
import { tableOf } from './markdown-table.ts'

type Outcome = Row<AnyEndpoint>['outcomes'][number]

const WORDS: Record<Outcome, string> = { ok: 'yes', 403: 'no', 404: 'hidden' }

const INTRODUCTION = `# Who may call what

Made by \`npm run roles\` from \`src/service/testing/access-matrix.ts\`, of which every cell is a test.

- **yes**: the call succeeds.
- **no**: refused (403); the caller knows of the object but may not do this.
- **hidden**: refused (404), in the same words as if there were no such object.

The downloads and API keys in question are those of the workspace admin in the team. The team owner is not a member of the
workspace. The group member is in a group that may view the folder and no more: download and upload are granted per folder
and group. The outsider belongs to the organization and to nothing in it. A personal API key may do what its user may,
within its scopes, where the workspace lets keys in.
`

/** Formats the access matrix as Markdown, with one table for each section. */
export function rolesTable(): string {
  const sections = Object.entries(api).map(([section, endpoints]) => {
    const rows = Object.entries(endpoints as Record<string, AnyEndpoint>).map(([key, endpoint]) => [
      `\`${endpoint.method} ${endpoint.path}\``,
      ...outcomesOf(section, key).map((outcome) => WORDS[outcome]),
    ])
    return `## ${tagOf(section)}\n\n${tableOf([['call', ...ROLES.map((role) => ROLE_NAMES[role])], ...rows])}\n`
  })
  return [INTRODUCTION, ...sections].join('\n')
}

function outcomesOf(section: string, key: string): readonly Outcome[] {
  const rows = accessMatrix as unknown as Record<string, Record<string, Row<AnyEndpoint>>>
  return rows[section]?.[key]?.outcomes ?? []
}
