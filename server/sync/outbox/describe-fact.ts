import type { FactTopic } from '../../../schema/station-link.ts'
import { factKinds } from '../../../schema/sync.ts'

/** What a description of a fact looks at. */
interface Described {
  readonly kind: string
  readonly payload: unknown
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const others = factKinds.filter((kind) => kind !== 'checkin')

/** What a fact reports, to be put into words elsewhere, and what it is about: a code, a name, or empty. */
export function topicOf({ kind, payload }: Described): FactTopic {
  const content = record(payload)
  const row = record(content.row)
  if (kind === 'checkin') {
    const what = row.successful === false ? 'refusal' : row.type === 'exit' ? 'exit' : 'entry'
    return { what, subject: text(content.secret) || text(row.raw_barcode) }
  }
  const what = others.find((one) => one === kind) ?? 'unknown'
  const subject = subjectOf(kind, content, row)
  return { what, subject }
}

type FactContent = Readonly<Record<string, unknown>>

function subjectOf(kind: string, content: FactContent, row: FactContent): string {
  switch (kind) {
    case 'order':
      return text(record(content.order).code)
    case 'device':
      return text(row.name)
    case 'gift_card':
      return text(row.value)
    case 'print':
      return text(row.source)
    case 'drawer':
      return text(row.name)
    case 'receipt_print':
      return text(row.cashier)
    case 'receipt':
    case 'receipt_signature':
    case 'closing':
      return typeof row.number === 'number' ? String(row.number) : ''
    default:
      return ''
  }
}

/** What a fact reports, in a few words for users. */
export function describeFact({ kind, payload }: Described): string {
  const content = record(payload)
  const row = record(content.row)
  switch (kind) {
    case 'checkin':
      return describeCheckin(row, text(content.secret) || text(row.raw_barcode))
    case 'annulment':
      return 'A check-in was undone'
    case 'answers':
      return 'Answers to questions'
    case 'attendee_name':
      return 'A corrected name'
    case 'order': {
      const code = text(record(content.order).code)
      return code === '' ? 'Order' : `Order ${code}`
    }
    case 'device': {
      const name = text(row.name)
      return name === '' ? 'A device' : `Device ${name}`
    }
    case 'lease':
      return 'Lease of a part of a quota'
    case 'gift_card':
      return `Gift card, ${text(row.value)}`
    case 'print':
      return `Printed: ${text(row.type)}`
    case 'drawer':
      return `Drawer ${text(row.name)}`
    case 'receipt':
      return `Receipt ${String(row.number)}`
    case 'receipt_print':
      return `Printed receipt ${String(row.receipt)}`
    case 'receipt_signature':
      return `Signature of receipt ${String(row.receipt)}`
    case 'closing':
      return `Closing ${String(row.number)}`
    default:
      return `Unknown (${kind})`
  }
}

function describeCheckin(row: Readonly<Record<string, unknown>>, code: string): string {
  const way = row.type === 'exit' ? 'Exit' : 'Entry'
  const what = row.successful === false ? `Refused ${way.toLowerCase()}` : way
  return code === '' ? what : `${what}, ticket ${code}`
}
