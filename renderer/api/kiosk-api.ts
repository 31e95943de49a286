import type { KioskFound, KioskPrints, KioskResult, ShownKiosk } from '../../schema/bodies/kiosk.ts'
import type { ScanSource } from '../../schema/bodies/station.ts'
import { type ApiAnswer, patience, request } from './requests.ts'

/** What a guest says to prove whose order it is. */
export interface GuestSought {
  readonly order?: string
  readonly last_name?: string
  readonly email?: string
}

/** A guest to be checked in: by what was scanned, or a ticket that was offered to them. */
export interface GuestCheckin {
  readonly nonce: string
  readonly source: ScanSource
  readonly code?: string
  readonly visit?: string
  readonly offer?: number
  readonly answers?: Readonly<Record<string, string>>
}

/** What the shell said of a PIN. */
export type ExitPinSaid = 'right' | 'wrong' | 'none'

/** The requests of a kiosk. None of them ever rejects. */
export interface KioskApi {
  state(): Promise<ApiAnswer<ShownKiosk>>
  find(sought: GuestSought): Promise<ApiAnswer<KioskFound>>
  checkIn(guest: GuestCheckin): Promise<ApiAnswer<KioskResult>>
  /** Has printed what comes with a guest's ticket, with what of the name on it is other than it was. */
  print(nonce: string, name: Readonly<Record<string, string>> | null): Promise<ApiAnswer<KioskPrints>>
  /** What has become of what is printed for a guest, by the nonce of their check-in. */
  prints(nonce: string): Promise<ApiAnswer<KioskPrints>>
  unlock(pin: string, exitPin: ExitPinSaid): Promise<ApiAnswer<unknown>>
}

/** The requests against the page's own server. */
export function openKioskApi(): KioskApi {
  const kiosk = '/api/v1/station/kiosk/'
  const post = <T>(path: string, body: object) =>
    request<T>(
      kiosk + path,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      patience.scan,
    )
  return {
    state: () => request(kiosk, {}, patience.other),
    find: (sought) => post('find/', sought),
    checkIn: (guest) => post('scan/', guest),
    print: (nonce, name) =>
      post(`visits/${encodeURIComponent(nonce)}/print/`, name === null ? {} : { name_parts: name }),
    prints: (nonce) => request(`${kiosk}visits/${encodeURIComponent(nonce)}/`, {}, patience.other),
    unlock: (pin, exitPin) => post('unlock/', { pin, exit_pin: exitPin }),
  }
}
