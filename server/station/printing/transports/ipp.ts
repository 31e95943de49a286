import { ippUrl } from '../../../domain/printers/printer-address.ts'
import type { Env } from '../../../env.ts'
import { bitmapPng } from '../../../exporters/printing/bitmap-png.ts'
import type { PrinterPlace } from '../../../services/devices/printer-places.ts'
import {
  decodeAnswer,
  encodeQuestion,
  type IppAnswer,
  operations,
  type SentAttribute,
  tags,
} from './ipp-message.ts'
import type { PrintEnding, PrinterTrouble, Printout, Transport } from './transport.ts'

/** Milliseconds within which a printer answers, takes a document, and has printed it. */
const answerWithin = 3000
const takeWithin = 20_000
const printWithin = 60_000

/** Milliseconds until it is asked again how far a job is. */
const askAgainAfter = 250

/** The most bytes of an answer that are read. */
const longestAnswer = 200_000

/** States of jobs that are over (RFC 8011, 5.3.7). */
const jobStates = { stopped: 6, canceled: 7, aborted: 8, completed: 9 } as const

/** The state of a printer that prints nothing. */
const printerStopped = 5

/** One printer that is asked things. */
interface IppPrinter {
  readonly env: Env
  readonly url: URL
  readonly printer: string
}

/** Whether somebody answers who does not prove to be the printer. */
const isDistrusted = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && /CERT|SIGNATURE/.test(String(cause.code))

/** Asks a printer; why nothing that can be read comes back. */
async function ask(
  { env, url, printer }: IppPrinter,
  operation: number,
  {
    attributes = [],
    document = new Uint8Array(),
    within = answerWithin,
  }: {
    readonly attributes?: readonly SentAttribute[]
    readonly document?: Uint8Array
    readonly within?: number
  } = {},
): Promise<IppAnswer | 'unreachable' | 'certificate'> {
  const breaking = new AbortController()
  const stop = env.after(within, () => breaking.abort())
  try {
    const { status, body } = await env.post({
      ...{
        url,
        address: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        limit: longestAnswer,
        signal: breaking.signal,
      },
      headers: { 'Content-Type': 'application/ipp' },
      body: Buffer.concat([encodeQuestion({ operation, printer, attributes }), document]),
    })
    return (status === 200 ? decodeAnswer(body) : null) ?? 'unreachable'
  } catch (cause) {
    return isDistrusted(cause) ? 'certificate' : 'unreachable'
  } finally {
    stop()
  }
}

/** What keeps a printer from printing, by the reasons that it gives (RFC 8011, 5.4.12). */
function troubleIn(answer: IppAnswer): PrinterTrouble | null {
  const reasons = answer.texts('printer-state-reasons').filter((one) => !/-(?:warning|report)$/.test(one))
  if (reasons.some((one) => /^(?:media-(?:empty|needed|jam)|marker-supply-empty|toner-empty)/.test(one)))
    return 'paper'
  if (reasons.some((one) => /^(?:cover|door|interlock)-open/.test(one))) return 'open'
  if (reasons.some((one) => /^(?:connecting-to-device|timed-out)/.test(one))) return 'unreachable'
  // Somebody has stopped the queue, or lets nothing more into it.
  if (reasons.includes('paused') || answer.texts('printer-is-accepting-jobs').includes('false'))
    return 'stopped'
  return answer.number('printer-state') === printerStopped ? 'offline' : null
}

const asked = [
  ...['printer-state', 'printer-state-reasons', 'printer-is-accepting-jobs', 'document-format-supported'],
] as const

/** How a printer is, and what it takes. */
async function attributesOf(printer: IppPrinter): Promise<IppAnswer | PrinterTrouble> {
  const attributes: readonly SentAttribute[] = [[tags.keyword, 'requested-attributes', asked]]
  const answer = await ask(printer, operations.printerAttributes, { attributes })
  if (typeof answer === 'string') return answer
  if (answer.status >= 0x0100) return 'unreachable'
  return troubleIn(answer) ?? answer
}

const printerAt = (env: Env, { address }: PrinterPlace): IppPrinter | null => {
  const url = ippUrl(address)
  return url && { env, url, printer: address }
}

/** Printers that take whole pages over IPP, with encryption as IPPS. */
export const ippTransport: Transport = {
  async look({ env }, place) {
    const printer = printerAt(env, place)
    const answer = printer ? await attributesOf(printer) : 'unreachable'
    return typeof answer === 'string' ? answer : null
  },
  async print({ env }, place, printout) {
    const printer = printerAt(env, place)
    const answer = printer ? await attributesOf(printer) : 'unreachable'
    if (!printer || typeof answer === 'string')
      return { kind: 'unsent', reason: typeof answer === 'string' ? answer : 'unreachable' }
    const format = formatOf(answer.texts('document-format-supported'))
    if (!format) return { kind: 'unsent', reason: 'unfit' }
    const documents = format === 'application/pdf' ? [await printout.pdf()] : await pngsOf(printout)
    if (!(await printout.begin())) return { kind: 'withdrawn' }
    for (const document of documents) {
      const ending = await printOne(printer, { name: printout.name, format, document })
      if (ending.kind !== 'printed') return ending
    }
    return { kind: 'printed' }
  },
}

const pngsOf = async (printout: Printout): Promise<readonly Uint8Array[]> =>
  (await printout.pictures()).map(bitmapPng)

/** What a printer is sent: a page as it is, or as a picture. */
const formatOf = (supported: readonly string[]): 'application/pdf' | 'image/png' | undefined =>
  (['application/pdf', 'image/png'] as const).find((one) => supported.includes(one))

/** Sends a document, and waits until it is printed. */
async function printOne(
  printer: IppPrinter,
  {
    name,
    format,
    document,
  }: { readonly name: string; readonly format: string; readonly document: Uint8Array },
): Promise<PrintEnding> {
  const answer = await ask(printer, operations.printJob, {
    ...{ document, within: takeWithin },
    attributes: [
      [tags.name, 'requesting-user-name', 'gatehouse'],
      [tags.name, 'job-name', name],
      [tags.mime, 'document-format', format],
    ],
  })
  if (typeof answer === 'string') return { kind: 'unknown', reason: 'broken-off' }
  const job = answer.number('job-id')
  // What it refuses altogether is not on paper, but it has had it.
  if (answer.status >= 0x0100 || job === null) return { kind: 'unknown', reason: 'unfit' }
  return untilOver(printer, job, answer.number('job-state'))
}

async function untilOver(printer: IppPrinter, job: number, first: number | null): Promise<PrintEnding> {
  const until = printer.env.elapsed() + printWithin
  let state = first
  while (printer.env.elapsed() < until) {
    if (state === jobStates.completed) return { kind: 'printed' }
    if (state === jobStates.canceled || state === jobStates.aborted)
      return { kind: 'unknown', reason: 'offline' }
    await new Promise<void>((resolve) => printer.env.after(askAgainAfter, resolve))
    const answer = await ask(printer, operations.jobAttributes, {
      attributes: [
        [tags.integer, 'job-id', job],
        [tags.keyword, 'requested-attributes', ['job-state', 'job-state-reasons']],
      ],
    })
    if (typeof answer === 'string') state = null
    else if (answer.status >= 0x0100) return { kind: 'unknown', reason: 'silent' }
    else state = answer.number('job-state')
  }
  const answer = await attributesOf(printer)
  return { kind: 'unknown', reason: typeof answer === 'string' ? answer : 'silent' }
}
