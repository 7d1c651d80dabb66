import type { JsonSchema } from './json-schema.ts'

const BY_NAME: Record<string, string> = {
  accent_dark: '#66cccc',
  accent_light: '#006666',
  after: '998230000000.000000_3f2b8c1e-5d47-4a90-b6a2-7c0d9e81f354',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code: '123456',
  color: '#333333',
  custom_text: 'Confidential',
  description: 'Project Harbour',
  email: 'bob@example.com',
  file_name: 'report.pdf',
  from: '2030-01-01',
  last_name: 'Baker',
  first_name: 'Bob',
  message: 'The documents are ready.',
  name: 'Bidders',
  offset: '0',
  q: 'report',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  staged_rights: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  size: '1048576',
  time_zone: 'Europe/Lisbon',
  title: 'Report.pdf',
}

const BY_FORMAT: Record<string, string> = {
  date: '2030-12-31',
  'date-time': '2030-12-31T00:00:00Z',
  email: 'bob@example.com',
  'id-path': '3.17',
  uri: 'https://example.com/',
  uuid: '3f2b8c1e-5d47-4a90-b6a2-7c0d9e81f354',
}

/** Returns a value that the schema accepts. An object has its required properties and the first optional one. */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0], name)
  if (schema.type === 'array') return [exampleOf(schema.items ?? {}, name)]
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'object') return exampleObject(schema)
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') {
    return Math.min(Math.max(7, schema.minimum ?? 7), schema.maximum ?? 7)
  }
  return BY_FORMAT[schema.format ?? ''] ?? BY_NAME[name] ?? 'Text'
}

function exampleObject({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  const firstOptional = Object.keys(properties).find((name) => !required.includes(name))
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name) || name === firstOptional)
      .map(([name, schema]) => [name, exampleOf(schema, name)]),
  )
}
