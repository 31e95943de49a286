import { execFileSync } from 'node:child_process'
import { unzip } from '../support/ticketing/unzip.ts'

/** Everything that can be read in a file: the text of a PDF, all that is in an archive or a spreadsheet. */
export function textIn(bytes: Buffer): string {
  if (bytes.subarray(0, 4).toString() === '%PDF')
    return execFileSync('pdftotext', ['-', '-'], { input: bytes, maxBuffer: 2 ** 28 }).toString()
  if (bytes.subarray(0, 2).toString() === 'PK')
    return Object.entries(unzip(bytes))
      .map(([path, content]) => `${path}\n${textIn(content)}`)
      .join('\n')
  return bytes.toString()
}

interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly choices?: readonly string[]
}

/** An exporter as it is listed. */
export interface ListedExporter {
  readonly identifier: string
  readonly input_parameters: readonly Parameter[]
}

/** What to ask an exporter for: one body for each of its formats. */
export function bodiesFor({ input_parameters }: ListedExporter, lists: readonly number[]): object[] {
  const named = (name: string) => input_parameters.find((one) => one.name === name)
  const base = {
    ...(named('all_events') ? { all_events: true } : {}),
    ...(named('list')?.required ? { list: lists[0] } : {}),
  }
  return (named('_format')?.choices ?? [undefined]).map((_format) => ({
    ...base,
    ...(_format && { _format }),
  }))
}
