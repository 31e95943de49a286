import { request, response } from 'ipp-encoder'

/** The tags of RFC 8010 that are used. */
export const tags = {
  ...{ operation: 0x01, job: 0x02, printer: 0x04 },
  ...{ integer: 0x21, boolean: 0x22, enum: 0x23 },
  ...{ name: 0x42, keyword: 0x44, uri: 0x45, charset: 0x47, language: 0x48, mime: 0x49 },
} as const

/** The operations of RFC 8011 that are used. */
export const operations = { printJob: 0x0002, jobAttributes: 0x0009, printerAttributes: 0x000b } as const

/** An attribute of a request: how it is tagged, its name, and its value. */
export type SentAttribute = readonly [tag: number, name: string, value: string | number | readonly string[]]

/** What is asked of a printer. */
export interface IppQuestion {
  readonly operation: number
  readonly printer: string
  readonly attributes?: readonly SentAttribute[]
}

/** A question as it is sent. */
export function encodeQuestion({ operation, printer, attributes = [] }: IppQuestion): Buffer {
  const shown: readonly SentAttribute[] = [
    [tags.charset, 'attributes-charset', 'utf-8'],
    [tags.language, 'attributes-natural-language', 'en'],
    [tags.uri, 'printer-uri', printer],
    ...attributes,
  ]
  const message = {
    ...{ operationId: operation, requestId: 1, version: { major: 2, minor: 0 } },
    groups: [{ tag: tags.operation, attributes: shown.map(([tag, name, value]) => ({ tag, name, value })) }],
  }
  return request.encode(message, Buffer.alloc(request.encodingLength(message)))
}

/** What a printer answers: its attributes by their names, in one list whatever group they are in. */
export interface IppAnswer {
  /** Below 0x0100 it succeeded. */
  readonly status: number
  texts(name: string): readonly string[]
  number(name: string): number | null
}

/** An answer as it was sent; null for what is none. */
export function decodeAnswer(bytes: Uint8Array): IppAnswer | null {
  try {
    const { statusCode, groups } = response.decode(Buffer.from(bytes))
    const values = (name: string) =>
      groups
        .flatMap(({ attributes }) => attributes)
        .filter((one) => one.name === name)
        .flatMap(({ value }) => value)
    return {
      status: statusCode,
      texts: (name) =>
        values(name).map((one) => (typeof one === 'object' && 'value' in one ? one.value : String(one))),
      number(name) {
        const [first] = values(name)
        return typeof first === 'number' ? first : null
      },
    }
  } catch {
    return null
  }
}
