import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  guessLayout,
  type HalfScan,
  type HidScan,
  LAYOUT_A,
  LAYOUT_B,
  LAYOUT_C,
  type Loss,
  MAX_CODE,
  PATIENCE,
  type ReportLayout,
  receiveReport,
} from '../../../main/scanners/hid-report.ts'
import { splitScan } from './hid-samples.ts'

const EMPTY = { half: null, scan: null, losses: [] }

function receiveAll(reports: readonly Uint8Array[], layout: ReportLayout | null = null, gap = 5) {
  let half: HalfScan | null = null
  const scans: HidScan[] = []
  const losses: Loss[] = []
  for (const [index, report] of reports.entries()) {
    const received = receiveReport(half, report, 1000 + index * gap, layout)
    half = received.half
    if (received.scan !== null) scans.push(received.scan)
    losses.push(...received.losses)
  }
  return { half, scans, losses }
}

const LONG = `${'Q'.repeat(56) + 'R'.repeat(56)}end`

const READ: readonly [string, ReportLayout, string, { aim?: string; letter?: string }, HidScan][] = [
  [
    'a QR code of layout A',
    LAYOUT_A,
    'ABC123',
    { aim: ']Q1', letter: 's' },
    { code: 'ABC123', symbology: ']Q1' },
  ],
  [
    'the letter where the identifier is empty',
    LAYOUT_A,
    'ABC',
    { letter: 'z' },
    { code: 'ABC', symbology: ']z0' },
  ],
  ['an unknown letter', LAYOUT_A, 'ABC', { letter: '?' }, { code: 'ABC', symbology: null }],
  ['layout B without identifier', LAYOUT_B, 'ABC123', {}, { code: 'ABC123', symbology: null }],
  ['layout C', LAYOUT_C, 'ABC123', { aim: ']C1' }, { code: 'ABC123', symbology: ']C1' }],
  [
    'exactly one full report',
    LAYOUT_A,
    'Q'.repeat(56),
    { aim: ']Q1' },
    { code: 'Q'.repeat(56), symbology: ']Q1' },
  ],
  ['three reports of layout A', LAYOUT_A, LONG, { aim: ']Q1' }, { code: LONG, symbology: ']Q1' }],
  ['three reports of layout B', LAYOUT_B, LONG, {}, { code: LONG, symbology: null }],
  ['three reports of layout C', LAYOUT_C, LONG, { aim: ']Q1' }, { code: LONG, symbology: ']Q1' }],
  ['letters of UTF-8', LAYOUT_A, 'Zoë–東京', { aim: ']Q1' }, { code: 'Zoë–東京', symbology: ']Q1' }],
  ['group separators', LAYOUT_A, 'A\x1dB\x1eC', { aim: ']C1' }, { code: 'A\x1dB\x1eC', symbology: ']C1' }],
  ['a byte order mark as part of the code', LAYOUT_B, '\ufeffA', {}, { code: '\ufeffA', symbology: null }],
  ['no line end', LAYOUT_A, 'ABC\r\n', { aim: ']Q1' }, { code: 'ABC', symbology: ']Q1' }],
  ['inner line ends', LAYOUT_A, 'A\nB', { aim: ']Q1' }, { code: 'A\nB', symbology: ']Q1' }],
  ['signed codes', LAYOUT_B, 'aZ+/=09==', {}, { code: 'aZ+/=09==', symbology: null }],
]

describe('HID reports', () => {
  for (const [what, layout, code, more, scan] of READ) {
    it(`reads ${what}, guessing the layout`, () => {
      assert.deepEqual(receiveAll(splitScan(layout, code, more)), { half: null, scans: [scan], losses: [] })
    })
    it(`reads ${what} by the known layout`, () => {
      assert.deepEqual(receiveAll(splitScan(layout, code, more), layout).scans, [scan])
    })
  }

  it('guesses the layouts', () => {
    const first = (layout: ReportLayout, aim?: string) =>
      splitScan(layout, 'X', { aim })[0] ?? new Uint8Array()
    assert.deepEqual(guessLayout(first(LAYOUT_A, ']Q1')), LAYOUT_A)
    assert.deepEqual(guessLayout(first(LAYOUT_A)), LAYOUT_A)
    assert.deepEqual(guessLayout(first(LAYOUT_B)), LAYOUT_B)
    assert.deepEqual(guessLayout(first(LAYOUT_C, ']Q1')), LAYOUT_C)
    assert.equal(guessLayout(Uint8Array.of(3, 1, 65, 66, 67)), null)
    assert.equal(guessLayout(Uint8Array.of(2, 1)), null)
  })

  it('takes bytes that are no UTF-8 for Latin-1', () => {
    const report = new Uint8Array(64)
    report.set([2, 3, 0x41, 0xe4, 0x42])
    assert.equal(receiveReport(null, report, 0).scan?.code, 'AäB')
  })

  it('reads a character that lies across two reports', () => {
    const code = `${'x'.repeat(55)}é!`
    assert.deepEqual(receiveAll(splitScan(LAYOUT_B, code, {})).scans, [{ code, symbology: null }])
  })

  it('begins anew after two scans in a row', () => {
    const reports = [...splitScan(LAYOUT_B, LONG, {}), ...splitScan(LAYOUT_B, 'next', {})]
    assert.deepEqual(
      receiveAll(reports).scans.map(({ code }) => code),
      [LONG, 'next'],
    )
  })

  it('gives nothing for an empty report', () => {
    assert.deepEqual(
      receiveReport(
        null,
        Uint8Array.from({ length: 64 }, (_, at) => (at === 0 ? 2 : 0)),
        0,
      ),
      EMPTY,
    )
  })

  it('forgets half a scan after its patience, and says so', () => {
    const [first, , last] = splitScan(LAYOUT_A, LONG, { aim: ']Q1' })
    assert(first && last)
    const { half } = receiveReport(null, first, 1000)
    assert.notEqual(half, null)
    const inTime = receiveReport(half, last, 1000 + PATIENCE)
    assert.equal(inTime.scan?.code, `${'Q'.repeat(56)}end`)
    assert.deepEqual(inTime.losses, [])
    const late = receiveReport(half, last, 1000 + PATIENCE + 1)
    assert.equal(late.scan?.code, 'end')
    assert.deepEqual(late.losses, ['unfinished'])
  })

  const junk: readonly [string, Uint8Array][] = [
    ['nothing', new Uint8Array()],
    ['one byte', Uint8Array.of(2)],
    ['another report', Uint8Array.from({ length: 64 }, (_, at) => (at === 0 ? 5 : 1))],
    [
      'a length beyond the report',
      Uint8Array.from({ length: 64 }, (_, at) => (at === 0 ? 2 : at === 1 ? 200 : 65)),
    ],
    ['a report cut off in its data', Uint8Array.of(2, 9, 0x5d, 0x51, 0x31, 65, 66)],
    ['a keyboard report', Uint8Array.of(0, 0, 4, 0, 0, 0, 0, 0)],
  ]
  for (const [what, report] of junk) {
    it(`ignores ${what} and keeps the parts it has`, () => {
      const [first, second, last] = splitScan(LAYOUT_A, LONG, { aim: ']Q1' })
      assert(first && second && last)
      const { scans, losses } = receiveAll([first, report, second, last])
      assert.deepEqual(scans, [{ code: LONG, symbology: ']Q1' }])
      assert.deepEqual(losses, ['junk'])
    })
  }

  it('reads a report that lacks its padding', () => {
    assert.equal(receiveReport(null, Uint8Array.of(2, 2, 0x5d, 0x51, 0x31, 65, 66), 0).scan?.code, 'AB')
  })

  it('takes a code of the greatest length and nothing longer', () => {
    const most = 'm'.repeat(MAX_CODE)
    assert.equal(receiveAll(splitScan(LAYOUT_A, most, { aim: ']Q1' }), null, 1).scans[0]?.code, most)
    const over = receiveAll(splitScan(LAYOUT_A, `${most}m`, { aim: ']Q1' }), null, 1)
    assert.deepEqual(over, { half: null, scans: [], losses: ['too long'] })
  })

  it('keeps bounded memory while a scan never ends', () => {
    const report = splitScan(LAYOUT_A, 'x'.repeat(57), { aim: ']Q1' })[0]
    assert(report)
    let half: HalfScan | null = null
    for (let at = 0; at < 1000; at++) {
      half = receiveReport(half, report, at).half
      assert(half !== null && half.bytes.length <= MAX_CODE)
    }
    assert.equal(half?.tooLong, true)
  })

  it('survives 20,000 random reports', () => {
    // A fixed linear congruential generator (Numerical Recipes), so that a failure repeats itself.
    let seed = 20_240_601
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((seed / 2 ** 32) * below)
    }
    let half: HalfScan | null = null
    let scans = 0
    let junk = 0
    const layouts = [null, LAYOUT_A, LAYOUT_B, LAYOUT_C]
    for (let round = 0; round < 20_000; round++) {
      const report = Uint8Array.from({ length: random(70) }, () => random(256))
      if (random(3) > 0) report.set([2, random(60)].slice(0, report.length))
      const received = receiveReport(half, report, round * 10, layouts[random(4)])
      half = received.half
      assert(half === null || half.bytes.length <= MAX_CODE)
      if (received.scan !== null) {
        scans++
        assert(received.scan.code.length > 0 && received.scan.code.length <= MAX_CODE)
      }
      if (received.losses.includes('junk')) junk++
    }
    assert(scans > 200 && junk > 200, `${scans} scans, ${junk} junk`)
  })

  it('gives back whatever text was split into reports', () => {
    const text = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 300 })
      .filter((code) => !/[\r\n]$/.test(code))
    const layouts = fc.constantFrom(LAYOUT_A, LAYOUT_B, LAYOUT_C)
    fc.assert(
      fc.property(text, layouts, (code, layout) => {
        const { scans, half, losses } = receiveAll(splitScan(layout, code, { aim: ']Q1' }), layout)
        assert.deepEqual(
          scans.map((scan) => scan.code),
          [code],
        )
        assert.deepEqual([half, losses], [null, []])
      }),
      { seed: 7, numRuns: 60 },
    )
  })
})
