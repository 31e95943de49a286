import assert from 'node:assert/strict'
import { chooseScanners } from '../../../main/scanners/choose-scanners.ts'

const device = (more: object) => ({ vendorId: 0x0c2e, productId: 0x0b61, path: '/dev/hidraw0', ...more })

const CHOSEN: readonly [string, object, boolean][] = [
  ['a badge reader', { usagePage: 0x8c, usage: 1 }, true],
  ['a scanner', { usagePage: 0x8c, usage: 2 }, true],
  ['a dumb scanner', { usagePage: 0x8c, usage: 3 }, true],
  ['another use of the page', { usagePage: 0x8c, usage: 4 }, false],
  ['a keyboard', { usagePage: 1, usage: 6 }, false],
  ['a device that does not say what it is', {}, false],
  ['a device without a path', { usagePage: 0x8c, usage: 2, path: undefined }, false],
]

describe('the choice of scanners', () => {
  for (const [what, more, chosen] of CHOSEN) {
    it(`${chosen ? 'takes' : 'leaves'} ${what}`, () => {
      assert.equal(chooseScanners([device(more)]).length, chosen ? 1 : 0)
    })
  }

  it('takes a device with several collections once', () => {
    const twice = [device({ usagePage: 0x8c, usage: 2 }), device({ usagePage: 0x8c, usage: 3 })]
    assert.equal(chooseScanners(twice).length, 1)
  })

  const names: readonly [object, string][] = [
    [{ manufacturer: 'Honeywell ', product: 'Voyager' }, 'Honeywell Voyager'],
    [{ manufacturer: 'Honeywell', product: 'Honeywell Voyager' }, 'Honeywell Voyager'],
    [{ manufacturer: '', product: 'HD2000' }, 'HD2000'],
    [{ manufacturer: 'Tera' }, 'Tera'],
    [{}, 'Scanner 0c2e:0b61'],
  ]
  for (const [more, name] of names) {
    it(`names ${JSON.stringify(more)} ${name}`, () => {
      assert.equal(chooseScanners([device({ usagePage: 0x8c, usage: 2, ...more })])[0]?.name, name)
    })
  }
})
