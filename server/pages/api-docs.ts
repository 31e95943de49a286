import { type Content, type Html, html } from './html.ts'
import { frame } from './layout.ts'

/** A part of an OpenAPI document. */
export type DocumentPart = Readonly<Record<string, unknown>>

/** One operation of the interface. */
export interface ShownOperation {
  readonly name: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly operation: DocumentPart
  /** What a search looks through. */
  readonly text: string
}

/** Where the page is, and its style. */
export const docsPath = '/api/v1/docs'
export const docsStylePath = '/api/v1/docs.css'

const partOf = (value: unknown): DocumentPart =>
  typeof value === 'object' && value !== null ? (value as DocumentPart) : {}
const listOf = (value: unknown): readonly DocumentPart[] => (Array.isArray(value) ? value.map(partOf) : [])

/** Every operation that a document describes, in its order. */
export function operationsOf(document: DocumentPart): ShownOperation[] {
  return Object.entries(partOf(document.paths)).flatMap(([path, methods]) =>
    Object.entries(partOf(methods)).flatMap(([method, operation]) => {
      if (method === 'parameters') return []
      const whole = {
        ...partOf(operation),
        parameters: [...listOf(partOf(methods).parameters), ...listOf(partOf(operation).parameters)],
      }
      const name = String(partOf(operation).operationId)
      const tag = String([partOf(operation).tags].flat()[0] ?? 'other')
      const text =
        `${method} ${path} ${name} ${tag} ${String(partOf(operation).description ?? '')}`.toLowerCase()
      return [{ name, tag, method: method.toUpperCase(), path, operation: whole, text }]
    }),
  )
}

/** The operations in which every word of a search is found. */
const found = (operations: readonly ShownOperation[], search: string): ShownOperation[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return operations.filter(({ text }) => words.every((word) => text.includes(word)))
}

const docsPage = (title: string, content: Content): string =>
  frame(
    {
      language: 'en',
      title,
      style: docsStylePath,
      skip: 'To the content',
      header: html`<a class="product" href="${docsPath}">Gatehouse API</a>`,
    },
    title,
    content,
  )

const searchForm = (search: string): Html => html`<form role="search" action="${docsPath}">
<p class="field"><label for="q">Search</label>
<input id="q" name="q" type="search" value="${search}"></p>
<p><button>Search</button></p>
</form>`

const line = ({ name, method, path }: ShownOperation): Html =>
  html`<li><a href="${docsPath}?operation=${encodeURIComponent(name)}"><strong>${method}</strong> <code>${path}</code></a></li>`

/** All operations, or those that a search finds, by what they are about. */
export function listPage(operations: readonly ShownOperation[], search: string): string {
  const hits = found(operations, search)
  const tags = [...new Set(hits.map(({ tag }) => tag))].sort()
  const groups = tags.map((tag) => {
    const own = hits.filter((one) => one.tag === tag)
    return html`<details${search !== '' && html` open`}>
<summary>${tag.replaceAll('_', ' ')} (${own.length})</summary>
<ul>${own.map(line)}</ul>
</details>
`
  })
  const count = hits.length === 1 ? '1 operation' : `${hits.length} operations`
  return docsPage(
    'Gatehouse API',
    html`${searchForm(search)}
<p role="status">${search === '' ? count : `${count} found for “${search}”`}. The whole description for programs: <a href="/api/v1/openapi.json">openapi.json</a>.</p>
${groups}`,
  )
}

const typeOf = (schema: DocumentPart): string => {
  const reference = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  if (reference) return reference
  const some = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (some.length > 0) return some.map(typeOf).join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(partOf(schema.items))}`
  const type = [schema.type ?? 'anything'].flat().join(' or ')
  const values = Array.isArray(schema.enum) ? `: ${schema.enum.join(', ')}` : ''
  const format = typeof schema.format === 'string' ? ` (${schema.format})` : ''
  return type + format + values
}

const parameterRow = (parameter: DocumentPart): Html => html`<tr>
<th scope="row"><code>${String(parameter.name)}</code></th>
<td>${String(parameter.in)}${parameter.required === true && ', required'}</td>
<td>${typeOf(partOf(parameter.schema))}</td>
<td>${String(partOf(parameter.schema).description ?? '')}</td>
</tr>`

const written = (value: unknown): Html => html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`

/** Names of shapes that a part refers to, and these in turn. */
function shapesIn(value: unknown, schemas: DocumentPart, known = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(
    /"#\/components\/schemas\/([\w.-]+)"/g,
  )) {
    if (known.has(name)) continue
    known.add(name)
    shapesIn(schemas[name], schemas, known)
  }
  return known
}

const content = (of: unknown): Content =>
  Object.entries(partOf(partOf(of).content)).map(([type, media]) => {
    const schema = partOf(partOf(media).schema)
    return html`<p>${type}: ${typeOf(schema)}</p>
${schema.$ref === undefined && html`<details><summary>Shape</summary>${written(schema)}</details>`}`
  })

/** One operation with everything it takes and answers. */
export function operationPage(
  { name, method, path, operation }: ShownOperation,
  document: DocumentPart,
): string {
  const schemas = partOf(partOf(document.components).schemas)
  const parameters = listOf(operation.parameters)
  return docsPage(
    name.replaceAll('_', ' '),
    html`<p><strong>${method}</strong> <code>${path}</code></p>
<p>${String(operation.description ?? '')}</p>
${
  parameters.length > 0 &&
  html`<h2>Parameters</h2>
<table><thead><tr><th scope="col">Name</th><th scope="col">Where</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${parameters.map(parameterRow)}</tbody></table>`
}
${operation.requestBody !== undefined && html`<h2>Body</h2>${content(operation.requestBody)}`}
<h2>Answers</h2>
<dl>${Object.entries(partOf(operation.responses)).map(
      ([status, answer]) =>
        html`<dt>${status}</dt><dd>${String(partOf(answer).description ?? '')}${content(answer)}</dd>`,
    )}</dl>
<h2>Shapes</h2>
${[...shapesIn(operation, schemas)].sort().map(
  (shape) => html`<details><summary>${shape}</summary>${written(schemas[shape])}</details>
`,
)}`,
  )
}

/** What is shown where there is no such operation. */
export const nothingPage = (): string =>
  docsPage('Not found', html`<p>There is no such operation.</p>${searchForm('')}`)
