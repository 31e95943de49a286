import assert from 'node:assert/strict'
import fc from 'fast-check'
import { countedCash, drawerSums, isLate } from '../../../server/domain/drawer/drawer-count.ts'
import {
  partOfLines,
  type ReceiptLine,
  reversedLines,
  taxesOf,
  totalAmount,
} from '../../../server/domain/drawer/receipts.ts'

const line = (amount: number, values: Partial<ReceiptLine> = {}): ReceiptLine => ({
  ...{ kind: 'product', text: 'Ticket', amount, tax_rate: 1900, tax_value: 0, tax_code: null },
  ...{ item: 1, variation: null, subevent: null, positionid: 1 },
  ...values,
})

const lines = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(0, 700, 1900))
    .map(([amount, tax_rate]) =>
      line(amount, { tax_rate, tax_value: Math.round((amount * tax_rate) / (10_000 + tax_rate)) }),
    ),
  { minLength: 1, maxLength: 6 },
)
const grossOf = (some: readonly ReceiptLine[]): number => totalAmount(some.map(({ amount }) => amount))

describe('the lines of a receipt', () => {
  it('are summed by tax rate, and the sums are those of all lines', () => {
    assert.deepEqual(
      taxesOf([
        line(1190, { tax_value: 190 }),
        line(595, { tax_value: 95 }),
        line(1070, { tax_rate: 700, tax_value: 70 }),
        line(5000, { kind: 'float', tax_rate: 0 }),
      ]),
      [
        { rate: 700, code: null, net: 1000, tax: 70, gross: 1070 },
        { rate: 1900, code: null, net: 1500, tax: 285, gross: 1785 },
      ],
    )
    fc.assert(
      fc.property(lines, (some) => {
        const sums = taxesOf(some)
        assert.equal(totalAmount(sums.map(({ gross }) => gross)), grossOf(some))
        assert.ok(sums.every(({ net, tax, gross }) => net + tax === gross))
      }),
    )
  })

  it('are split by rate for a part of them, to the last hundredth', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: -100_000, max: 100_000 }), (some, amount) => {
        const part = partOfLines(some, amount, 'ABCDE')
        assert.equal(grossOf(part), amount)
        assert.ok(part.every((one) => Math.abs(one.tax_value) <= Math.abs(one.amount)))
      }),
    )
    const whole = [line(1190, { tax_value: 190 }), line(1070, { tax_rate: 700, tax_value: 70 })]
    assert.deepEqual(
      partOfLines(whole, 1130, 'ABCDE').map(({ amount, tax_rate, tax_value }) => [
        amount,
        tax_rate,
        tax_value,
      ]),
      [
        [535, 700, 35],
        [595, 1900, 95],
      ],
    )
  })

  it('are taken back by their opposites', () => {
    fc.assert(
      fc.property(lines, (some) => {
        assert.equal(grossOf([...some, ...reversedLines(some)]), 0)
        assert.ok(
          taxesOf([...some, ...reversedLines(some)]).every(({ tax, gross }) => tax === 0 && gross === 0),
        )
      }),
    )
  })
})

const receipt = (number: number, amount: number, values: object = {}) => ({
  ...({ till: 3, site: 17, number, type: 'sale', training: false, cashier: 'Ada', total: amount } as const),
  lines: [line(amount)],
  payments: [{ provider: 'boxoffice', amount, given: null, change: null }],
  ...values,
})
const moved = (number: number, kind: ReceiptLine['kind'], amount: number) =>
  receipt(number, amount, { type: 'movement', lines: [line(amount, { kind, tax_rate: 0 })] })

describe('the sums of a drawer', () => {
  it('say what should be in it: float, cash of sales and refunds, and what moved', () => {
    const card = { payments: [{ provider: 'cardterminal', amount: 700, given: null, change: null }] }
    const sums = drawerSums([
      moved(1, 'float', 10_000),
      receipt(2, 2500),
      receipt(3, 700, card),
      receipt(4, -500, { type: 'refund', cashier: 'Bob' }),
      moved(5, 'cash_out', -8000),
      receipt(6, 9900, { training: true }),
    ])
    assert.equal(sums.expected_cash, 10_000 + 2500 - 500 - 8000)
    assert.deepEqual(sums.by_provider, { boxoffice: 2000, cardterminal: 700 })
    assert.deepEqual(sums.by_cashier, { Ada: 3200, Bob: -500 })
    assert.deepEqual([sums.sales, sums.refunds, sums.receipts], [3200, -500, 5])
    assert.deepEqual(sums.movements, { float: 10_000, cash_in: 0, cash_out: -8000, difference: 0 })
    assert.deepEqual(sums.training, { receipts: 1, total: 9900 })
    assert.deepEqual(sums.covered, [{ till: 3, site: 17, first: 1, last: 6, count: 6 }])
  })

  it('do not depend on the order of the receipts, nor on what was only training', () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: -9000, max: 9000 }), fc.boolean()), { maxLength: 12 })
    fc.assert(
      fc.property(rows, (some) => {
        const receipts = some.map(([amount, training], index) => receipt(index + 1, amount, { training }))
        const { expected_cash } = drawerSums(receipts)
        assert.equal(expected_cash, totalAmount(some.map(([amount, training]) => (training ? 0 : amount))))
        assert.deepEqual(drawerSums([...receipts].reverse()), drawerSums(receipts))
      }),
    )
  })

  it('expect in a drawer for training what was practised with', () => {
    const lesson = [moved(1, 'float', 5000), receipt(2, 1190)].map((one) => ({ ...one, training: true }))
    assert.equal(drawerSums(lesson).expected_cash, 0)
    const { expected_cash, sales, training } = drawerSums(lesson, { training: true })
    assert.deepEqual([expected_cash, sales, training.total], [6190, 0, 6190])
  })

  it('know which receipts came too late to be counted, of several tills at one drawer', () => {
    const { covered } = drawerSums([receipt(4, 100), receipt(5, 100), receipt(1, 50, { till: 4 })])
    assert.equal(isLate(covered, { till: 3, site: 17, number: 5 }), false)
    assert.equal(isLate(covered, { till: 3, site: 17, number: 6 }), true)
    assert.equal(isLate(covered, { till: 4, site: 18, number: 1 }), true)
  })

  it('are compared with notes and coins', () => {
    assert.equal(countedCash({ '5000': 2, '2000': 1, '50': 3 }), 12_150)
    assert.equal(countedCash({}), 0)
  })
})
