import type { ShownPrintJob, ShownPrintJobs } from '../../schema/bodies/print-jobs.ts'
import { type KeyedAct, stepUpHeaders } from './keyed-act.ts'
import { type ApiAnswer, patience, request } from './requests.ts'

/** What is to be printed; `subject` is the id of the receipt or closing. */
interface Printable {
  readonly document: ShownPrintJob['document']
  readonly subject?: number
  readonly locale: string
}

/** The requests about what the station's printers print. None of them ever rejects. */
export interface PrintsApi {
  /** What is not printed, or may not be. */
  list(): Promise<ApiAnswer<ShownPrintJobs>>
  /** Has something printed, once for its key. */
  print(wanted: Printable, attempt: KeyedAct): Promise<ApiAnswer<ShownPrintJob>>
  /** Says whether the paper came out, or gives it up. */
  decide(id: string, printed: boolean, stepUp: string): Promise<ApiAnswer<ShownPrintJob>>
}

/** The requests against a server at `base` (empty for the page's own). */
export function openPrintsApi(base = ''): PrintsApi {
  const prints = `${base}/api/v1/station/prints/`
  const post = (path: string, body: object, stepUp: string) =>
    request<ShownPrintJob>(
      prints + path,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...stepUpHeaders(stepUp) },
        body: JSON.stringify(body),
      },
      patience.other,
    )
  return {
    list: () => request(prints, {}, patience.other),
    print: (wanted, { key, stepUp }) => post('', { id: key, ...wanted }, stepUp),
    decide: (id, printed, stepUp) => post(`${encodeURIComponent(id)}/decide/`, { printed }, stepUp),
  }
}
