import type { CustomerDisplay, DisplayKey, DisplaysTold } from '../../schema/bodies/customer-display.ts'
import { type ApiAnswer, patience, request } from './requests.ts'

/** The requests about what a till has its guests see. None of them ever rejects. */
export interface DisplayApi {
  /** Has the displays of a till show something. */
  show(till: string, shown: CustomerDisplay): Promise<ApiAnswer<DisplaysTold>>
  /** The key by which another browser is let in. */
  key(till: string): Promise<ApiAnswer<DisplayKey>>
  /** Lets this browser in. */
  open(till: string, key: string): Promise<ApiAnswer<unknown>>
}

/** Where the server answers about the display of a till. */
const displayPath = (till: string): string => `/api/v1/station/displays/${encodeURIComponent(till)}/`

/** Where a display listens. */
export const displayStream = (till: string): string => `${displayPath(till)}live`

/** The page of a display, as a second window of this browser opens it. */
export const displayPage = (till: string): string => `/display.html?${new URLSearchParams({ till })}`

/** The requests about displays against a server at `base` (empty for the page's own). */
export function openDisplayApi(base = ''): DisplayApi {
  return {
    show: (till, shown) =>
      request(
        base + displayPath(till),
        {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(shown),
        },
        patience.other,
      ),
    key: (till) => request(`${base}${displayPath(till)}key/`, {}, patience.other),
    open: (till, key) =>
      request(
        `${base}${displayPath(till)}open`,
        { method: 'POST', headers: { authorization: `Display ${key}` } },
        patience.other,
      ),
  }
}
