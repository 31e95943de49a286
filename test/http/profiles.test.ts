import assert from 'node:assert/strict'
import { checkProfile } from '../../server/http/profiles.ts'

const org = '/api/v1/organizers/acme'
const ev = `${org}/events/gala`

const requests = {
  'the device itself': ['GET /api/v1/device/info', 'POST /api/v1/device/roll', 'GET /api/v1/version'],
  'the catalogue': [
    `GET ${ev}/items/`,
    `GET ${ev}/items/7/picture/`,
    `GET ${ev}/badgelayouts/`,
    `GET ${ev}/checkinlists/`,
    `GET ${org}/events/`,
  ],
  scanning: [
    `POST ${org}/checkinrpc/redeem/`,
    `POST ${org}/checkinrpc/annul/`,
    `POST ${ev}/checkinlists/1/positions/a%2Fb%20c/redeem/`,
    `POST ${ev}/checkinlists/1/failed_checkins/`,
    `GET ${ev}/checkinlists/1/status/`,
    `GET ${ev}/revokedsecrets/`,
    `POST ${ev}/orderpositions/5/printlog/`,
    `GET ${org}/checkinrpc/search/`,
    `GET ${ev}/orderpositions/5/pdf_image/question_photo/`,
  ],
  'lists of people': [`HEAD ${ev}/checkinlists/1/positions/`],
  orders: [
    `GET ${ev}/orders/`,
    `GET ${org}/reusablemedia/`,
    `POST ${org}/reusablemedia/lookup/`,
    `PATCH ${org}/reusablemedia/3/`,
  ],
  'copies and single rows': [`POST ${org}/sync/join/`, `GET ${org}/sync/changes/`, `GET ${ev}/questions/7/`],
  'single people': [`GET ${ev}/checkinlists/1/positions/7/`, `GET ${ev}/orders/ABC12/`],
  selling: [
    `POST ${ev}/orders/`,
    `POST ${ev}/orders/ABC12/mark_canceled/`,
    `POST ${ev}/cartpositions/bulk_create/`,
    `PATCH ${ev}/orderpositions/5/`,
    `DELETE ${ev}/cartpositions/5/`,
    `POST ${org}/giftcards/5/transact/`,
    `GET ${ev}/quotas/5/availability/`,
    `GET ${ev}/orders/ABC12/download/roll/`,
    `GET ${ev}/orderpositions/5/download/pdf/`,
    `GET ${ev}/ticketlayouts/`,
    `GET ${org}/pos/cashiers/`,
    `POST ${org}/posdevices/5/receipts/`,
  ],
  administration: [
    `POST ${ev}/items/`,
    `PATCH ${ev}/checkinlists/1/`,
    `DELETE ${ev}/checkinlists/1/`,
    `GET ${org}/teams/`,
    `GET ${org}/devices/`,
    `PATCH ${ev}/`,
    `POST ${ev}/orders/ABC12/nothing/`,
    `GET ${ev}/checkinlists/1/positions/1/redeem/`,
    `GET /api/v1/organizers/`,
  ],
} as const
type Family = keyof typeof requests

const entrance: readonly Family[] = ['the device itself', 'the catalogue', 'scanning']
const search: readonly Family[] = [...entrance, 'lists of people', 'orders', 'copies and single rows']

const profiles: Readonly<Record<string, readonly Family[]>> = {
  pretixscan: search,
  pretixscan_online_kiosk: entrance,
  pretixscan_online_noorders: [...entrance, 'lists of people'],
  pretixpos: [...search, 'selling'],
  scan: [...search, 'single people'],
  kiosk: [...entrance, 'copies and single rows'],
  gate: [...entrance, 'copies and single rows'],
  boxoffice: [...search, 'single people', 'selling'],
  full: Object.keys(requests) as Family[],
}

const isAllowed = (profile: string, request: string): boolean => {
  const [method = '', path = ''] = request.split(' ')
  try {
    checkProfile(profile, method, path)
    return true
  } catch {
    return false
  }
}

describe('security profiles of devices', () => {
  for (const [profile, allowed] of Object.entries(profiles))
    for (const family of Object.keys(requests) as Family[])
      it(`${allowed.includes(family) ? 'lets' : 'keeps'} ${profile} ${allowed.includes(family) ? 'do' : 'from'} ${family}`, () => {
        // Those who sell are let see single orders by that.
        for (const request of requests[family])
          if (!(profile === 'pretixpos' && request.includes('/orders/ABC12/')))
            assert.equal(isAllowed(profile, request), allowed.includes(family), request)
      })

  it('let a profile that this program does not know do nothing', () => {
    for (const request of Object.values(requests).flat()) assert.equal(isAllowed('later', request), false)
  })

  it('does not mistake a path that only begins or ends like one that is allowed', () => {
    for (const path of [
      `/x${org}/checkinrpc/redeem/`,
      `${org}/checkinrpc/redeem/more/`,
      `${org}/events/gala/../../teams/`,
      `${ev}/items/x/`,
    ]) {
      assert.equal(isAllowed('kiosk', `POST ${path}`), false, path)
      assert.equal(isAllowed('kiosk', `GET ${path}`), false, path)
    }
  })
})
