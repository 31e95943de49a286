import type { Multilingual } from '../multilingual.ts'
import type { OrderPosition } from '../resources/orders/order-position.ts'
import type { FirstPage } from '../station-link.ts'
import type { GuestDocument } from './print-jobs.ts'
import type { OwedMoney, ScannedPosition, ScanOutcome } from './scan-result.ts'
import type { Direction } from './station.ts'

type Cells = 'id' | 'positionid' | 'attendee_name' | 'attendee_email' | 'company' | 'secret'

/** A ticket that a search at the entrance found, with its product in words. */
export interface FoundPosition extends Readonly<Pick<OrderPosition, Cells>> {
  readonly order: string
  readonly order__status: string
  readonly item: { readonly name: Multilingual } | number
  readonly variation: { readonly value: Multilingual } | number | null
  readonly seat: { readonly name: string } | null
  readonly blocked?: OrderPosition['blocked']
  readonly checkins: readonly {
    readonly list: number
    readonly type: Direction
    readonly datetime: string
  }[]
}

/** What a search at the entrance found, one page of it. */
export type Found = FirstPage<FoundPosition>

/** One scan of a guest's ticket, whatever became of it, with the names of its list, gate and device. */
export interface GuestScan {
  readonly id: number
  readonly list: number
  readonly list_name: string
  readonly datetime: string
  readonly type: Direction
  readonly gate: string | null
  readonly device: string | null
  readonly outcome: 'admitted' | 'refused' | 'undone'
  /** Why it was refused. */
  readonly reason: ScanOutcome['reason'] | 'incomplete'
  readonly reason_explanation: string | null
  /** Admitted although something spoke against it. */
  readonly forced: boolean
  readonly auto_checked_in: boolean
}

/** One time that something was printed for a guest's ticket, or was not. */
export interface GuestPrint {
  readonly id: number
  readonly datetime: string
  readonly document: GuestDocument | 'certificate' | 'other'
  readonly device: string | null
  readonly successful: boolean
}

/** A ticket of a guest's order, with all that happened to it. */
export interface ShownTicket extends Omit<ScannedPosition, 'checkins'> {
  readonly email: string | null
  readonly company: string | null
  /** The position of the same order that it belongs to, by its number. */
  readonly addon_to: number | null
  readonly canceled: boolean
  readonly blocked: boolean
  readonly valid_from: string | null
  readonly valid_until: string | null
  /** What would become of it if it were scanned at the station now. */
  readonly outlook: Pick<ScanOutcome, 'status' | 'reason' | 'reason_explanation'>
  /** Known by this, its last admission can be taken back at the station; null where it cannot. */
  readonly undo: string | null
  /** Newest first, on all lists. */
  readonly scans: readonly GuestScan[]
  /** Newest first. */
  readonly prints: readonly GuestPrint[]
}

/** A ticket of the demo to try out, with what would become of it now. */
export interface ShownSample {
  readonly code: string
  readonly name: string | null
  readonly product: string
  readonly outlook: ShownTicket['outlook']
  /** Its QR code: the modules of each row from the top, 1 for a dark one, without the light ones that are needed around it. */
  readonly qr: readonly string[]
}

/** A guest's order as the station's staff sees it. */
export interface GuestOrder {
  readonly code: string
  readonly status: ScannedPosition['order_status']
  readonly require_approval: boolean
  readonly datetime: string
  readonly email: string | null
  readonly phone: string | null
  /** What is missing; null where nothing is, and where the station may not know. */
  readonly owed: OwedMoney | null
  readonly tickets: readonly ShownTicket[]
}
