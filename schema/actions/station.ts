import { quarantineDecisionBody, queueRetryBody } from '../bodies/facts.ts'
import { kioskFindBody, kioskPrintBody, kioskScanBody, kioskUnlockBody } from '../bodies/kiosk.ts'
import {
  stationScanBody,
  stationScannersBody,
  stationSettingsBody,
  stationUndoBody,
} from '../bodies/station.ts'
import {
  linkSettingsBody,
  stationJoinBody,
  stationLeaveBody,
  updateWishBody,
} from '../bodies/station-sync.ts'
import { listBody, transferBody } from '../body-limits.ts'
import { bodyAs, endpointAt, fileAsBody } from './action.ts'

// What a station's own screens, scanners and shell ask for is not part of the described interface.

/** The state that the screens begin with. */
export const stationState = endpointAt({ method: 'get', path: '/api/v1/station/' })

/** What a station can be set up for. */
export const stationChoicesList = endpointAt({ method: 'get', path: '/api/v1/station/choices/' })

/** Sets a station up. */
export const stationSettingsReplace = endpointAt({
  method: 'put',
  path: '/api/v1/station/settings/',
  body: bodyAs(stationSettingsBody),
})

/** What a till sells, on the date that `subevent` names, and with the voucher whose code `voucher` is. */
export const stationSaleCatalogue = endpointAt({ method: 'get', path: '/api/v1/station/sale/' })

/** The seats that a till sells, on the date that `subevent` names, and with the voucher whose code `voucher` is. */
export const stationSaleSeats = endpointAt({ method: 'get', path: '/api/v1/station/sale/seats/' })

/** Judges what a scanner has read. */
export const stationScan = endpointAt({
  method: 'post',
  path: '/api/v1/station/scan/',
  body: bodyAs(stationScanBody),
  isScanned: true,
})

/** What a kiosk is, and how it is. */
export const stationKiosk = endpointAt({ method: 'get', path: '/api/v1/station/kiosk/' })

/** Looks for a guest's tickets. */
export const stationKioskFind = endpointAt({
  method: 'post',
  path: '/api/v1/station/kiosk/find/',
  body: bodyAs(kioskFindBody),
})

/** Checks a guest in. */
export const stationKioskScan = endpointAt({
  method: 'post',
  path: '/api/v1/station/kiosk/scan/',
  body: bodyAs(kioskScanBody),
  isScanned: true,
})

/** Has printed what comes with the ticket of a guest who was asked for their name. */
export const stationKioskPrint = endpointAt({
  method: 'post',
  path: '/api/v1/station/kiosk/visits/:nonce/print/',
  body: bodyAs(kioskPrintBody),
})

/** What has become of what is printed for a guest. */
export const stationKioskVisit = endpointAt({ method: 'get', path: '/api/v1/station/kiosk/visits/:nonce/' })

/** Lets staff at a kiosk, and has it work again. */
export const stationKioskUnlock = endpointAt({
  method: 'post',
  path: '/api/v1/station/kiosk/unlock/',
  body: bodyAs(kioskUnlockBody),
})

/** The last scans that were made at this station on its list, newest first. */
export const stationScansList = endpointAt({ method: 'get', path: '/api/v1/station/scans/' })

/** The order of a guest's ticket, with all that happened to its tickets. */
export const stationGuest = endpointAt({ method: 'get', path: '/api/v1/station/guests/:position/' })

/** The tickets to try out at the list of the station, where its event is the demo. */
export const stationSamplesList = endpointAt({ method: 'get', path: '/api/v1/station/samples/' })

/** What happened at its list, in numbers. */
export const stationStatistics = endpointAt({ method: 'get', path: '/api/v1/station/statistics/' })

/** Undoes a scan. */
export const stationUndo = endpointAt({
  method: 'post',
  path: '/api/v1/station/undo/',
  body: bodyAs(stationUndoBody),
})

/** Names the scanners that are plugged in. */
export const stationScannersReplace = endpointAt({
  method: 'put',
  path: '/api/v1/station/scanners/',
  body: bodyAs(stationScannersBody),
  status: 204,
})

/** A stream of what happens. */
export const stationLive = endpointAt({ method: 'get', path: '/api/v1/station/live' })

/** Makes the demo event. */
export const stationDemoCreate = endpointAt({
  method: 'post',
  path: '/api/v1/station/demo/',
  status: 202,
})

/** How far the demo event is. */
export const stationDemoRetrieve = endpointAt({ method: 'get', path: '/api/v1/station/demo/' })

/** How the station and its upstream server get on. */
export const stationLink = endpointAt({ method: 'get', path: '/api/v1/station/link/' })

/** Has a station admitted by a server. */
export const stationJoin = endpointAt({
  method: 'post',
  path: '/api/v1/station/join/',
  body: bodyAs(stationJoinBody),
  status: 202,
})

/** Gives up the upstream server. */
export const stationLeave = endpointAt({
  method: 'post',
  path: '/api/v1/station/leave/',
  body: bodyAs(stationLeaveBody),
})

/** How far the station is with its own updates. */
export const stationUpdate = endpointAt({ method: 'get', path: '/api/v1/station/update/' })

/** Has an update installed now, or not today. */
export const stationUpdateDecide = endpointAt({
  method: 'post',
  path: '/api/v1/station/update/',
  body: bodyAs(updateWishBody),
})

/** How the station waits for confirmations. */
export const stationLinkSettings = endpointAt({ method: 'get', path: '/api/v1/station/link/settings/' })

/** Sets that. */
export const stationLinkSettingsReplace = endpointAt({
  method: 'put',
  path: '/api/v1/station/link/settings/',
  body: bodyAs(linkSettingsBody),
})

/** The facts that are to be reported. */
export const stationQueueList = endpointAt({ method: 'get', path: '/api/v1/station/queue/' })

/** Has facts reported again at once. */
export const stationQueueRetry = endpointAt({
  method: 'post',
  path: '/api/v1/station/queue/retry/',
  body: bodyAs(queueRetryBody),
  bodyLimit: listBody,
})

/** The facts as a file. */
export const stationQueueExport = endpointAt({ method: 'get', path: '/api/v1/station/queue/export/' })

/** Brings such a file in. */
export const stationQueueImport = endpointAt({
  method: 'post',
  path: '/api/v1/station/queue/import/',
  body: fileAsBody,
  bodyLimit: transferBody,
})

/** What revoked devices have reported to this machine. */
export const stationQuarantineList = endpointAt({
  method: 'get',
  path: '/api/v1/station/queue/quarantine/',
})

/** Decides about that. */
export const stationQuarantineApply = endpointAt({
  method: 'post',
  path: '/api/v1/station/queue/quarantine/apply/',
  body: bodyAs(quarantineDecisionBody),
  bodyLimit: listBody,
})

/** What contradicts each other in the event of the station. */
export const stationConflictList = endpointAt({ method: 'get', path: '/api/v1/station/conflicts/' })
