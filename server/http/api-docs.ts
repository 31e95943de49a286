import { readFile } from 'node:fs/promises'
import type { Context, Middleware } from 'koa'
import {
  type DocumentPart,
  docsPath,
  docsStylePath,
  listPage,
  nothingPage,
  operationPage,
  operationsOf,
  type ShownOperation,
} from '../pages/api-docs.ts'

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The longest search that is looked for. */
const longest = 200

interface Description {
  readonly text: string
  readonly document: DocumentPart
  readonly operations: readonly ShownOperation[]
}

async function readDescription(): Promise<Description> {
  const text = await readFile(new URL('../../schema/openapi.json', import.meta.url), 'utf8')
  const document: DocumentPart = JSON.parse(text)
  return { text, document, operations: operationsOf(document) }
}

const last = (value: string | string[] | undefined): string => [value ?? ''].flat().at(-1) ?? ''

function show(ctx: Context, { document, operations }: Description): void {
  ctx.set('Content-Security-Policy', policy)
  ctx.type = 'html'
  const name = last(ctx.query.operation)
  if (name === '') {
    ctx.body = listPage(operations, last(ctx.query.q).trim().slice(0, longest))
    return
  }
  const operation = operations.find((one) => one.name === name)
  ctx.status = operation ? 200 : 404
  ctx.body = operation ? operationPage(operation, document) : nothingPage()
}

/** Serves the description of the interface: `/api/v1/openapi.json` for programs, `/api/v1/docs` for readers. */
export function answerDocs(): Middleware {
  // Read when somebody asks: a station hardly ever does.
  let reading: Promise<Description> | null = null
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    switch (ctx.path) {
      case '/api/v1/openapi.json':
        reading ??= readDescription()
        ctx.type = 'application/json'
        ctx.body = (await reading).text
        return
      case docsPath:
      case `${docsPath}/`:
        reading ??= readDescription()
        return show(ctx, await reading)
      case docsStylePath:
        ctx.type = 'css'
        ctx.set('Cache-Control', 'public, max-age=300')
        ctx.body = await readFile(new URL('../pages/style.css', import.meta.url), 'utf8')
        return
      default:
        return next()
    }
  }
}
