import assert from 'node:assert/strict'
import { hasTicket, whyNoTickets } from '../../../server/domain/orders/ticket-downloads.ts'

describe('tickets to download', () => {
  const order = { status: 'p', require_approval: false, valid_if_pending: false } as const
  const pending = { ...order, status: 'n' } as const

  it('are there for paid orders, and for pending ones where the order or the event says so', () => {
    const cases = [
      [order, {}, true],
      [{ ...order, status: 'c' }, { ticket_download_pending: true }, false],
      [{ ...order, status: 'e', valid_if_pending: true }, {}, false],
      [pending, {}, false],
      [pending, { ticket_download_pending: true }, true],
      [{ ...pending, valid_if_pending: true }, {}, true],
      [{ ...pending, valid_if_pending: true, require_approval: true }, {}, false],
    ] as const
    for (const [one, settings, isThere] of cases)
      assert.equal(
        whyNoTickets(one, { ticket_download_pending: false, ...settings }) === null,
        isThere,
        JSON.stringify([one, settings]),
      )
  })

  it('are made for products as these say, else as the event says', () => {
    const plain = { generate_tickets: null, admission: true, isAddon: false, isBlocked: false }
    const usual = { ticket_download_addons: false, ticket_download_nonadm: true }
    const cases = [
      [plain, usual, true],
      [{ ...plain, isAddon: true }, usual, false],
      [{ ...plain, isAddon: true }, { ...usual, ticket_download_addons: true }, true],
      [{ ...plain, isAddon: true, generate_tickets: true }, usual, true],
      [{ ...plain, generate_tickets: false }, usual, false],
      [{ ...plain, admission: false }, usual, true],
      [{ ...plain, admission: false }, { ...usual, ticket_download_nonadm: false }, false],
      [{ ...plain, isBlocked: true }, usual, false],
    ] as const
    for (const [one, settings, isMade] of cases)
      assert.equal(hasTicket(one, settings), isMade, JSON.stringify([one, settings]))
  })
})
