import type { OpenApiDocument, Operation } from '../../../contract/openapi.ts'
import { Html, html } from '../../../wire/html.ts'
import { curlOf, SIGNED } from './reference-examples.ts'
import { fieldsOf, fieldsTable, typeOf } from './reference-fields.ts'

interface Entry {
  path: string
  method: string
  operation: Operation
}

/** The reference page, made only from the document: no scripts, and no resources from elsewhere. */
export function referencePage(document: OpenApiDocument, css: string): string {
  const { info, tags } = document
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}</title>
        ${new Html(`<style>${css}</style>`)}
      </head>
      <body>
        <nav aria-label="Sections">
          <p><strong>${info.title}</strong> <small>${info.version}</small></p>
          <ul>
            <li><a href="#call">How to call</a></li>
            <li><a href="#failures">Failures</a></li>
            ${tags.map(({ name }) => navigationOf(name, entriesOf(document, name)))}
            <li><a href="#objects">Objects</a></li>
          </ul>
        </nav>
        <main>
          <h1>${info.title}</h1>
          <p>${info.description}</p>
          <p>For programs: the <a href="openapi.json">OpenAPI document</a> that this page shows.</p>
          ${howToCall(document)} ${failures(document)}
          ${tags.map(({ name }) => sectionOf(name, entriesOf(document, name)))} ${objects(document)}
        </main>
      </body>
    </html> `.markup
}

function entriesOf({ paths }: OpenApiDocument, tag: string): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags[0] === tag)
      .map(([method, operation]) => ({ path, method, operation })),
  )
}

const anchorOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-')

function navigationOf(tag: string, entries: Entry[]): Html {
  return html`<li>
    <a href="#${anchorOf(tag)}">${tag}</a>
    <ul>
      ${entries.map(
        ({ operation, method, path }) =>
          html`<li>
            <a href="#${operation.operationId}"><b class="${method}">${method}</b> ${path}</a>
          </li> `,
      )}
    </ul>
  </li> `
}

function howToCall({ components, servers }: OpenApiDocument): Html {
  return html`<section id="call">
    <h2>How to call</h2>
    <p>All paths are below <code>${servers[0]?.url}</code>. Every request carries four headers:</p>
    <table>
      <thead>
        <tr>
          <th scope="col">Header</th>
          <th scope="col">Content</th>
        </tr>
      </thead>
      <tbody>
        ${Object.values(components.securitySchemes).map(
          ({ name, description }) =>
            html`<tr>
              <th scope="row"><code>${name}</code></th>
              <td>${prose(description)}</td>
            </tr> `,
        )}
      </tbody>
    </table>
    <p>The examples below are for a shell in which key, secret and token are set:</p>
    <pre tabindex="0"><code>${SIGNED}</code></pre>
  </section> `
}

function failures(document: OpenApiDocument): Html {
  return html`<section id="failures">
    <h2>Failures</h2>
    <p>Every failure is an ${typeOf({ $ref: 'ErrorReply' })}; its <code>code</code> is the HTTP status.</p>
    <ul>
      ${Object.entries(document.components.responses).map(
        ([name, { description }]) => html`<li><code>${statusOf(document, name)}</code> ${description}.</li>`,
      )}
    </ul>
  </section>`
}

function statusOf({ paths }: OpenApiDocument, failure: string): string | undefined {
  const replies = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap((each) => Object.entries(each.responses)),
  )
  return replies.find(([, reply]) => '$ref' in reply && reply.$ref.endsWith(`/${failure}`))?.[0]
}

function sectionOf(tag: string, entries: Entry[]): Html {
  return html`<section id="${anchorOf(tag)}">
    <h2>${tag}</h2>
    ${entries.map(articleOf)}
  </section> `
}

function articleOf({ path, method, operation }: Entry): Html {
  const { operationId, summary, description, parameters, requestBody } = operation
  const inPlace = (place: string) => parameters.filter((each) => each.in === place)
  const body = requestBody?.content['application/json']?.schema
  return html`<article id="${operationId}">
    <h3><b class="${method}">${method}</b> <code>${path}</code></h3>
    <p>${summary}. <small>${prose(description)}</small></p>
    ${fieldsTable('In the path', inPlace('path'))} ${fieldsTable('In the query', inPlace('query'))}
    ${body && fieldsTable('In the body', fieldsOf(body))}
    ${requestBody && !body && html`<p>The body is the file itself.</p>`} ${replyOf(operation)}
    <pre tabindex="0"><code>${curlOf(method, path, operation)}</code></pre>
  </article>`
}

function replyOf({ responses }: Operation): Html {
  const [status = '', reply] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  const content = reply && 'content' in reply ? Object.entries(reply.content ?? {})[0] : undefined
  if (!content) return html`<p>Answers <code>${status}</code> without a body.</p> `
  const [type, { schema = {} }] = content
  const isJson = type === 'application/json'
  const shapes = schema.oneOf ?? [schema.items ?? schema]
  return html`<p>Answers <code>${status}</code>: ${typeOf(schema)}${!isJson && html` as <code>${type}</code>`}.</p>
    ${shapes.map((shape) => fieldsTable('In the reply', fieldsOf(shape)))}`
}

function objects({ components }: OpenApiDocument): Html {
  return html`<section id="objects">
    <h2>Objects</h2>
    ${Object.entries(components.schemas).map(
      ([name, schema]) =>
        html`<article id="object-${name}">
          <h3>${name}</h3>
          ${fieldsTable('Fields', fieldsOf(schema))}
        </article> `,
    )}
  </section> `
}

/** Renders text with `code` in it. */
function prose(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
