import assert from 'node:assert/strict'
import {
  digitBytes,
  digitsIn,
  encodeZvt,
  NotZvt,
  readZvtStatus,
  zvt,
  zvtSplitter,
} from '../../../server/domain/terminals/zvt-packets.ts'

describe('messages of a card terminal', () => {
  const long = Array.from({ length: 700 }, (_, index) => index % 256)
  const bytes = Buffer.concat([
    encodeZvt(zvt.intermediate, [0x0a]),
    encodeZvt(zvt.status, long),
    encodeZvt(zvt.completion),
    encodeZvt(zvt.understood),
  ])

  it('are the same in whatever pieces they arrive', () => {
    for (const size of [1, 2, 3, 7, 255, 256, 257, bytes.length]) {
      const split = zvtSplitter()
      const packets = []
      for (let at = 0; at < bytes.length; at += size) packets.push(...split(bytes.subarray(at, at + size)))
      assert.deepEqual(
        packets.map(({ code, data }) => [code, data.length]),
        [
          [zvt.intermediate, 1],
          [zvt.status, 700],
          [zvt.completion, 0],
          [zvt.understood, 0],
        ],
        `in pieces of ${size}`,
      )
      assert.deepEqual([...(packets[1]?.data ?? [])], long)
    }
  })

  it('are refused where they are none', () => {
    assert.throws(() => zvtSplitter()(Buffer.from('HTTP/1.1 200 OK')), NotZvt)
  })

  it('hold numbers as digits, and nothing that does not fit', () => {
    assert.deepEqual(digitBytes(1250, 6), [0, 0, 0, 0, 0x12, 0x50])
    assert.equal(digitsIn(Uint8Array.from([0, 0, 0, 0, 0x12, 0x50])), 1250)
    assert.equal(digitsIn(Uint8Array.from([0xee, 0x12])), null)
    assert.throws(() => digitBytes(1_000_000, 3), RangeError)
  })

  it('are read as far as their fields are known', () => {
    const known = [0x27, 0, 0x04, ...digitBytes(999, 6), 0x22, 0xf0, 0xf2, 0xee, 0x12, 0x87, 0x00, 0x42]
    const status = readZvtStatus(Uint8Array.from([...known, 0xfe, 1, 2, 3]))
    assert.deepEqual([status.result, status.amount, status.receipt, status.trace], [0, 999, 42, null])
  })

  it('never bring anything down, whatever they hold', () => {
    for (let seed = 1; seed < 2000; seed += 1) {
      const some = Uint8Array.from(
        { length: seed % 40 },
        (_, index) => (seed * 2654435761 + index * 40503) >> 7,
      )
      readZvtStatus(some)
    }
  })
})
