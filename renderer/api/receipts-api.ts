import { attemptHeaders, type KeyedAct } from './keyed-act.ts'
import { type ApiAnswer, patience, request } from './requests.ts'
import { eventPath, type SalesPlace } from './sales-place.ts'

/** A receipt as a journal lists it; amounts are decimal. */
export interface JournalReceipt {
  readonly id: number
  readonly number: number
  readonly site: number
  readonly type: 'sale' | 'refund' | 'correction' | 'movement'
  readonly order: string | null
  readonly ended: string
  readonly total: string
}

/** One time that a receipt was given out: as itself (0), or as which copy. */
export interface ReceiptNote {
  readonly id: number
  readonly copy: number
}

/** How a receipt is given out. */
export type ReceiptWay = { readonly way: 'paper' } | { readonly way: 'mail'; readonly email: string }

/** The requests about receipts. */
export interface ReceiptsApi {
  /** The newest first: by their number, by the code of an order, or all. */
  list(place: SalesPlace, search: string): Promise<ApiAnswer<{ readonly results: readonly JournalReceipt[] }>>
  /** Notes that one is given out, once for its key; the server mails it where that is wanted. */
  print(
    place: SalesPlace,
    receipt: number,
    way: ReceiptWay & { readonly locale: string },
    attempt: KeyedAct,
  ): Promise<ApiAnswer<ReceiptNote>>
}

/** The requests about receipts against a server at `base` (empty for the page's own). */
export function openReceiptsApi(base = ''): ReceiptsApi {
  return {
    list: (place, search) =>
      request(`${base}${eventPath(place)}/receipts/?${searchQuery(search)}`, {}, patience.other),
    print: (place, receipt, way, attempt) =>
      request(
        `${base}${eventPath(place)}/receipts/${receipt}/prints/`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...attemptHeaders(attempt) },
          body: JSON.stringify(way),
        },
        patience.other,
      ),
  }
}

function searchQuery(search: string): URLSearchParams {
  const text = search.trim()
  if (/^\d{1,15}$/.test(text)) return new URLSearchParams({ number: text })
  const [, number] = /^\d+-(\d{1,15})$/.exec(text) ?? []
  if (number !== undefined) return new URLSearchParams({ number })
  return new URLSearchParams(text === '' ? {} : { order: text.toUpperCase() })
}

/** What a receipt is fetched as. */
interface ReceiptFile {
  readonly receipt: number
  readonly format: 'picture' | 'pdf'
  readonly locale: string
  readonly note: ReceiptNote | null
}

/** Where a receipt is to be had. */
export function receiptAddress(place: SalesPlace, { receipt, format, locale, note }: ReceiptFile): string {
  const query = new URLSearchParams({ locale, ...(note === null ? {} : { print: String(note.id) }) })
  return `${eventPath(place)}/receipts/${receipt}/${format}/?${query}`
}
