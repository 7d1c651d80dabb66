import type { JsonSchema } from '../../../contract/json-schema.ts'
import { html, type Html } from '../../../wire/html.ts'

interface Field {
  /** Includes the fields it is nested in: `group.name`, `events[].verb`. */
  name: string
  required: boolean
  schema: JsonSchema
}

/** Name, type and bounds of each field, nested fields by their path. Named objects are linked, not repeated. */
export function fieldsTable(caption: string, fields: Field[]): Html {
  if (fields.length === 0) return html``
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Type</th>
        <th scope="col">Notes</th>
      </tr>
    </thead>
    <tbody>
      ${fields.flatMap(withInner).map(
        ({ name, required, schema }) =>
          html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td>${typeOf(schema)}</td>
            <td>${notesOf(schema, required)}</td>
          </tr> `,
      )}
    </tbody>
  </table> `
}

export function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix = ''): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name: prefix + name,
    required: required.includes(name),
    schema,
  }))
}

function withInner(field: Field): Field[] {
  const { schema, name } = field
  if (schema.items) return [field, ...fieldsOf(schema.items, `${name}[].`).flatMap(withInner)]
  return [field, ...fieldsOf(schema, `${name}.`).flatMap(withInner)]
}

export function typeOf(schema: JsonSchema): Html {
  if (schema.$ref) return objectLink(schema.$ref)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return html`${options.map((option, at) => html`${at > 0 && ' or '}${typeOf(option)}`)}`
  if (schema.items) return html`list of ${typeOf(schema.items)}`
  const choices = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  if (choices.length > 0) {
    return html`${choices.map((choice, at) => html`${at > 0 && ' · '}<code>${JSON.stringify(choice)}</code>`)}`
  }
  return html`${schema.format ?? schema.type ?? 'any value'}`
}

function objectLink(ref: string): Html {
  const name = ref.split('/').at(-1) ?? ''
  return html`<a href="#object-${name}">${name}</a>`
}

function notesOf(schema: JsonSchema, required: boolean): Html {
  const notes = [
    ...boundsOf(schema),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ]
  return html`${!required && schema.default === undefined ? 'optional ' : ''}<small>${notes.join(', ')}</small>`
}

function boundsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems, pattern }: JsonSchema): string[] {
  const range = (low: number | undefined, high: number | undefined, unit: string) =>
    high === undefined ? [] : [`${low ?? 0} to ${high}${unit}`]
  return [
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' entries'),
    ...(pattern ? [pattern] : []),
  ]
}
