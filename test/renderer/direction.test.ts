import assert from 'node:assert/strict'
import bidiFactory from 'bidi-js/dist/bidi.mjs'
import { beside, withValuesApart } from '../../renderer/text/direction.ts'
import { loadTexts, translator } from '../../renderer/text/translate.ts'

const bidi = bidiFactory()

/** What is seen from left to right of a text in a page that is written to the left. */
function seen(text: string): string {
  const levels = bidi.getEmbeddingLevels(text, 'rtl')
  return bidi.getReorderedString(text, levels).replaceAll(/[\u2068\u2069]/g, '')
}

describe('texts that are written to the left', () => {
  before(() => loadTexts('ar'))

  for (const order of ['FOO12-1', '12-1', '7BJYK-3', '2026-11-25'])
    it(`show ${order} as it is written, in a sentence`, () =>
      assert.ok(seen(translator('ar')('ticket.order', { order })).includes(order)))

  it('show it so among other parts', () =>
    assert.ok(seen(beside(['دخول', '12-1', '20:36'], ' · ', 'ar')).includes('20:36 · 12-1 · ')))

  it('would not without that', () => {
    assert.ok(!seen('الطلب 12-1').includes('12-1'))
    assert.ok(!seen('دخول · 12-1 · 20:36').includes('20:36 · 12-1 · '))
  })

  it('count and choose as before', () => {
    const message = '{count, plural, one {a} other {#}} {kind, select, in {x} other {y}}'
    assert.match(withValuesApart(message, 'ar'), /^\{count, plural, .*\{kind, select, /s)
  })
})

describe('texts that are written to the right', () => {
  it('are as they are in the table', () => {
    assert.equal(withValuesApart('Order {order}', 'en'), 'Order {order}')
    assert.equal(beside(['Door 1', '', null, '20:36'], ' · ', 'en'), 'Door 1 · 20:36')
  })
})
