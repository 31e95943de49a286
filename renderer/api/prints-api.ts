import type {
  EarlierPrint,
  GuestDocument,
  ShownPrinters,
  ShownPrintJob,
  ShownPrintJobs,
} from '../../schema/bodies/print-jobs.ts'
import type { PrinterProfileName } from '../../schema/bodies/printer-profiles.ts'
import { type KeyedAct, stepUpHeaders } from './keyed-act.ts'
import { type ApiAnswer, type Problem, patience, request } from './requests.ts'

/** What is to be printed; `subject` is the id of the receipt, the closing or the position. */
interface Printable {
  readonly document: ShownPrintJob['document']
  readonly subject?: number
  /** The address of the printer that a test is for. */
  readonly printer?: string
  readonly again?: boolean
  readonly locale: string
}

/** What somebody wants to see before it is printed: for a made-up guest, at a kind of printer. */
export interface PreviewWish {
  readonly document: GuestDocument
  readonly profile: PrinterProfileName
  readonly locale: string
}

/** The requests about what the station's printers print. None of them ever rejects. */
export interface PrintsApi {
  /** What is not printed, or may not be. */
  list(): Promise<ApiAnswer<ShownPrintJobs>>
  /** How the printers are, which are asked. */
  printers(): Promise<ApiAnswer<ShownPrinters>>
  /** Where a page is that this window is to print. */
  pageAddress(id: string, page: number): string
  /** Where the picture is of what would be printed, and why there is none. */
  previewAddress(wish: PreviewWish): string
  previewProblem(wish: PreviewWish): Promise<Problem | null>
  /** Says what has become of it. */
  tell(id: string, state: 'begun' | 'printed' | 'failed'): Promise<ApiAnswer<unknown>>
  /** Has something printed, once for its key. */
  print(wanted: Printable, attempt: KeyedAct): Promise<ApiAnswer<ShownPrintJob>>
  /** Says whether the paper came out, or gives it up. */
  decide(id: string, printed: boolean, stepUp: string): Promise<ApiAnswer<ShownPrintJob>>
  /** Prints what waits for the background of its layout without it. */
  printWithoutBackground(id: string): Promise<ApiAnswer<ShownPrintJob>>
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
  const previewAddress = (wish: PreviewWish): string =>
    `${base}/api/v1/station/printers/preview/?${new URLSearchParams({ ...wish })}`
  return {
    previewAddress,
    async previewProblem(wish) {
      const answer = await request(previewAddress(wish), {}, patience.slow)
      return answer.ok ? null : answer.problem
    },
    printers: () => request(`${base}/api/v1/station/printers/`, {}, patience.slow),
    pageAddress: (id, page) => `${prints}${encodeURIComponent(id)}/pages/${page}/`,
    tell: (id, state) => post(`${encodeURIComponent(id)}/window/`, { state }, ''),
    list: () => request(prints, {}, patience.other),
    print: (wanted, { key, stepUp }) => post('', { id: key, ...wanted }, stepUp),
    printWithoutBackground: (id) => post(`${encodeURIComponent(id)}/without-background/`, {}, ''),
    decide: (id, printed, stepUp) => post(`${encodeURIComponent(id)}/decide/`, { printed }, stepUp),
  }
}

/** When and where something was printed before, where it is refused for that. */
export function earlierIn({ reason, body }: Problem): EarlierPrint | null {
  if (reason !== 'already_printed' || !body || !('printed' in body)) return null
  return body.printed as EarlierPrint
}
