import type { SecurityProfile } from '../../schema/security-profiles.ts'
import { denied } from '../errors.ts'

/** What a security profile lets a device ask for: methods and the shape of the path. */
interface Allowance {
  readonly methods: readonly string[]
  readonly path: RegExp
}

const get = (path: RegExp): Allowance => ({ methods: ['GET', 'HEAD'], path })
const post = (path: RegExp): Allowance => ({ methods: ['POST'], path })

const org = '/api/v1/organizers/[^/]+'
const ev = `${org}/events/[^/]+`
const at = (pattern: string): RegExp => new RegExp(`^${pattern}/?$`)

const own: readonly Allowance[] = [
  get(at('/api/v1/version')),
  get(at('/api/v1/device/(info|eventselection)')),
  post(at('/api/v1/device/(update|roll|revoke)')),
  get(at('/api/v1/idempotency_query')),
]

const catalogue: readonly Allowance[] = [
  get(at(`${org}/events`)),
  get(at(ev)),
  get(at(`(${org}|${ev})/subevents`)),
  get(at(`${ev}/subevents/\\d+`)),
  get(at(`${ev}/(categories|items|questions|badgelayouts|badgeitems|checkinlists)`)),
  // What the items and layouts that are given name.
  get(at(`${ev}/items/\\d+/picture`)),
  get(at(`${ev}/badgelayouts/\\d+/background`)),
  get(at(`${ev}/settings`)),
]

const checking: readonly Allowance[] = [
  get(at(`${ev}/checkinlists/\\d+/status`)),
  get(at(`${ev}/(revokedsecrets|blockedsecrets)`)),
  post(at(`${ev}/checkinlists/\\d+/failed_checkins`)),
  post(at(`${ev}/checkinlists/\\d+/positions/[^/]+/redeem`)),
  post(at(`${org}/checkinrpc/(redeem|annul)`)),
  get(at(`${org}/checkinrpc/search`)),
  get(at(`${ev}/orderpositions/\\d+/pdf_image/[^/]+`)),
  post(at(`${ev}/orderpositions/\\d+/printlog`)),
  post(at('/api/v1/upload')),
]

const listed: readonly Allowance[] = [get(at(`${ev}/checkinlists/\\d+/positions`))]

const orders: readonly Allowance[] = [get(at(`${ev}/orders`))]

const media: readonly Allowance[] = [
  get(at(`${org}/reusablemedia`)),
  post(at(`${org}/reusablemedia/lookup`)),
  { methods: ['PATCH'], path: at(`${org}/reusablemedia/\\d+`) },
]

const selling: readonly Allowance[] = [
  get(at(`${ev}/(quotas|taxrules|vouchers|cartpositions|orders|orderpositions|seats|discounts)`)),
  get(at(`${ev}/(quotas|taxrules|vouchers|cartpositions|orders|orderpositions|seats)/[^/]+`)),
  get(at(`${ev}/(ticketlayouts|ticketlayoutitems)`)),
  get(at(`${ev}/ticketlayouts/\\d+/background`)),
  get(at(`${ev}/quotas/\\d+/availability`)),
  get(at(`${ev}/(orders|orderpositions)/[^/]+/download/[^/]+`)),
  get(at(`${ev}/subevents/\\d+/seats`)),
  post(at(`${ev}/orders`)),
  post(at(`${ev}/orders/[^/]+/(mark_canceled|mark_paid|change|payments|refunds)`)),
  post(at(`${ev}/orders/[^/]+/refunds/\\d+/done`)),
  { methods: ['PATCH', 'DELETE'], path: at(`${ev}/orderpositions/\\d+`) },
  post(at(`${ev}/cartpositions(/bulk_create)?`)),
  { methods: ['DELETE'], path: at(`${ev}/cartpositions/\\d+`) },
  get(at(`${org}/giftcards(/\\d+)?`)),
  { methods: ['PATCH'], path: at(`${org}/giftcards/\\d+`) },
  post(at(`${org}/giftcards/\\d+/transact`)),
  get(at(`${ev}/(drawers|receipts|closings|receipt_prints|receipt_signatures)(/\\d+)?`)),
  get(at(`${ev}/drawers/\\d+/report`)),
  get(at(`${ev}/(receipts/\\d+|closings/\\d+|drawers/\\d+/report)/(text|picture|pdf|escpos)`)),
  post(at(`${ev}/receipts/\\d+/prints`)),
  post(at(`${ev}/drawers(/\\d+/(join|move_cash|open_without_sale|close|receipts/\\d+/reverse))?`)),
  get(at(`${org}/pos/cashiers`)),
  post(at(`${org}/posdevices/\\d+/(receipts|closings|debugdump)`)),
]

/** What a station asks for beside what apps do. What it gets by the first of these depends on its profile as well. */
const stations: readonly Allowance[] = [
  { methods: ['GET', 'HEAD', 'POST'], path: at(`${org}/sync/.+`) },
  get(at(`${org}/pos/session`)),
  post(at(`${org}/pos/(sign_in|sign_out|step_up)`)),
  get(at(`${ev}/(categories|items|questions|checkinlists)/\\d+`)),
]

const single: readonly Allowance[] = [
  get(at(`${ev}/checkinlists/\\d+/positions/[^/]+`)),
  get(at(`${ev}/orders/[^/]+`)),
]

const kiosk: readonly Allowance[] = [...own, ...catalogue, ...checking]
const scan: readonly Allowance[] = [...kiosk, ...listed, ...orders, ...media]
const sale: readonly Allowance[] = [...scan, ...selling]

const profiles: Readonly<Record<Exclude<SecurityProfile, 'full'>, readonly Allowance[]>> = {
  pretixscan: [...scan, ...stations],
  pretixscan_online_kiosk: kiosk,
  pretixscan_online_noorders: [...kiosk, ...listed],
  pretixpos: [...sale, ...stations],
  scan: [...scan, ...stations, ...single],
  kiosk: [...kiosk, ...stations],
  gate: [...kiosk, ...stations],
  boxoffice: [...sale, ...stations, ...single],
}

const known: ReadonlyMap<string, readonly Allowance[]> = new Map(Object.entries(profiles))

/** Refuses what a device's security profile does not list; `full` may do everything, an unknown profile nothing. */
export function checkProfile(profile: string, method: string, path: string): void {
  if (profile === 'full') return
  const allowed = known.get(profile) ?? []
  if (!allowed.some((one) => one.methods.includes(method) && one.path.test(path)))
    throw denied('The security profile of this device does not allow this.')
}
