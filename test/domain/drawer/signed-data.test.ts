import assert from 'node:assert/strict'
import type { ReceiptContent } from '../../../server/domain/drawer/receipt-chain.ts'
import { signedDataOf } from '../../../server/domain/drawer/signed-data.ts'

const line = (amount: number, tax_rate: number) => ({
  ...({ kind: 'product', text: '', amount, tax_rate, tax_value: 0, tax_code: null } as const),
  ...{ item: null, variation: null, subevent: null, positionid: null },
})
const paid = (provider: string, amount: number) => ({ provider, amount, given: null, change: null })
const content: ReceiptContent = {
  ...{ till: 1, site: 1, number: 1, type: 'sale', drawer: 1, event: 'gala', order: 'A', cashier: '' },
  ...{ staff: null, started: '', ended: '', training: false, currency: 'EUR', reverses: null, reason: '' },
  ...{ total: 4000, lines: [line(1000, 1900), line(2500, 700), line(200, 0), line(300, 810)] },
  payments: [paid('boxoffice', 1500), paid('giftcard', 500), paid('cardterminal', 2000)],
}

describe('what is signed of a receipt', () => {
  it('is its sums by rate, those of other rates in the last place, and what was paid in cash and otherwise', () => {
    assert.deepEqual(signedDataOf(content), {
      type: 'Kassenbeleg-V1',
      data: 'Beleg^10.00_25.00_0.00_0.00_5.00^15.00:Bar_25.00:Unbar',
    })
  })

  it('says that it was training, and in which currency', () => {
    const { data } = signedDataOf({ ...content, training: true, currency: 'CHF' })
    assert.equal(data, 'AVTraining^10.00_25.00_0.00_0.00_5.00^15.00:Bar:CHF_25.00:Unbar:CHF')
  })

  it('is without payments where nothing was paid', () => {
    const { data } = signedDataOf({ ...content, total: 0, lines: [], payments: [] })
    assert.equal(data, 'Beleg^0.00_0.00_0.00_0.00_0.00^')
  })
})
