import assert from 'node:assert/strict'
import { printerProfileNames, profileNamed } from '../../../schema/bodies/printer-profiles.ts'
import type { Bitmap } from '../../../server/domain/printers/bitmap.ts'
import { signTicket } from '../../../server/domain/signed-tickets/signed-ticket.ts'
import { bitmapPng } from '../../../server/exporters/printing/bitmap-png.ts'
import { printerPlace } from '../../../server/services/devices/printer-places.ts'
import type { QueuedPrint } from '../../../server/services/printing/print-jobs.ts'
import { jobContent } from '../../../server/station/printing/job-content.ts'
import { textsIn } from '../../support/ticketing/codes.ts'
import { decodedEpl, decodedEscpos, decodedZpl } from '../../support/ticketing/printed-bitmaps.ts'
import { keyOf, plain, seedOf } from '../../support/ticketing/signing.ts'
import { type Desk, openDesk } from '../desk.ts'

const decoders = { escpos: decodedEscpos, zpl: decodedZpl, epl: decodedEpl } as const

const signed = (scheme: 'gatehouse_1' | 'pretix_sig1', issued: string | null): string =>
  signTicket(
    scheme,
    {
      ...{ ...plain, variation: 2 ** 40, subevent: 2 ** 40, position: 2 ** 40, issued },
      ...{ valid_from: '2030-06-01T09:00:00.000000Z', valid_until: '2030-06-02T09:00:00.000000Z' },
    },
    seedOf(7),
    keyOf(1)[scheme].signer,
  )

/** Codes of every kind that tickets have, and the longest that one can have. */
const secrets = {
  usual: 'abcdefghjkmnpqrstuvwxyz23456789b',
  'signed by us': signed('gatehouse_1', '2030-05-01T09:00:00.000000Z'),
  'signed as elsewhere': signed('pretix_sig1', null),
  longest: 'Ab3-_./+=%'.repeat(26).slice(0, 255),
  'longest in Cyrillic': 'ж'.repeat(255),
} as const

describe('a printed ticket', function () {
  this.timeout(60_000)
  let desk: Desk
  const tickets = new Map<string, number>()
  before(async () => {
    desk = await openDesk()
    await desk.setUp()
    for (const secret of Object.values(secrets))
      tickets.set(secret, await desk.sell(secret, { attendee_name: 'Ann Example' }))
  })
  after(() => desk.close())

  async function printed(profile: (typeof printerProfileNames)[number], job: Partial<QueuedPrint>) {
    const { dialect, dots } = profileNamed(profile)
    assert.ok(dialect !== 'pdf')
    const whole: QueuedPrint = {
      ...{ ...desk.place, id: 'print-01', document: 'ticket', subject: null, note: null, copy: 0, title: '' },
      ...{ locale: 'en', pulse: 'none', created: '2030-06-01T09:00:00.000000Z', state: 'waiting' },
      ...{ reason: null, printer: null, ...job },
    }
    const place = printerPlace({ way: 'tcp', address: 'printer.local', profile })
    const bitmap: Bitmap = decoders[dialect](
      await jobContent(desk.transactions.database, whole, place).commands(),
    )
    assert.ok(bitmap.width <= dots, `${bitmap.width} dots on ${dots}`)
    return bitmap
  }

  for (const profile of printerProfileNames.filter((name) => name !== 'pdf'))
    it(`holds its code, however long that is, as a ticket and as a badge from a printer ${profile}`, async () => {
      for (const [name, secret] of Object.entries(secrets)) {
        const subject = tickets.get(secret) ?? null
        for (const document of ['ticket', 'badge'] as const) {
          // A module of the code would be a dot on a page that was made as small as that.
          if (profile === 'escpos-58' && document === 'badge' && secret.startsWith('ж')) continue
          const bitmap = await printed(profile, { document, subject })
          const read = await textsIn(bitmapPng(bitmap), ['QRCode'])
          assert.deepEqual(read, [secret], `${name}: ${document}`)
        }
      }
    })
})
