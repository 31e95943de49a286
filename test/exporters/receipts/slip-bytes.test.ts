import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { create } from 'fontkit'
import { paperWidth, type Slip, slipPen, slipRule } from '../../../server/exporters/receipts/slip.ts'
import { slipBytes } from '../../../server/exporters/receipts/slip-bytes.ts'
import { slipPdf, slipText } from '../../../server/exporters/receipts/slip-pdf.ts'
import { decodedReceipt } from '../../support/ticketing/printed-receipts.ts'

const columns = 42
const place = { timezone: 'Europe/Berlin', locale: 'en', columns } as const
const amounts = ['12.50', '-1234567.00']

/** What somebody may type who means harm, or whose keyboard, telephone or import means well. */
const pieces = [
  ...[
    'Ticket',
    'Großer Saal',
    'Škoda',
    'Żółć',
    'Жук',
    '12,50 €',
    '½',
    'naïve',
    'x'.repeat(90),
    'ж'.repeat(60),
  ],
  ...[
    '\u001b@',
    '\u001bp\u0000\u0019\u00fa',
    '\u0010\u0004\u0001',
    '\u001dV\u0000',
    '\u001dr1',
    '\u0007',
    '\u009b',
  ],
  ...[
    '\\x1bp\\x00',
    '\\x1d',
    '\\',
    '\\\\',
    '\\n',
    '{x:\\x1bp}',
    '{command:\\x1b@}',
    '{code:1;option:qrcode}',
    '{i:iVBORw}',
  ],
  ...[
    '{w:1}',
    '{b:line}',
    '{a:right}',
    '|',
    '||',
    ' | ',
    '---',
    '===',
    '=',
    '^^^',
    '_',
    '"',
    '`',
    '~',
    '{',
    '}',
    ';',
  ],
  ...['\r\n', '\n', '\t', '\u2028', '\u0085', '\u00a0', '\u3000', ' ', '  '],
  ...['\u202e', '\u2066', '\u2069', '\u200b', '\ufeff', '\u00ad', '\ud800x', '\udfff'],
] as const
/** Those that no code page has. */
const others = [
  '漢字',
  'שלום',
  'مرحبا',
  '한국',
  '👩‍👩‍👧',
  '😀',
  'e\u0301\u0327',
  `${'a'.repeat(50)}\u0301`,
  '\u0e01',
  '\u{1f1e9}',
]

const isExotic = (text: string): boolean => others.some((other) => text.includes(other))

const textOf = (some: readonly string[]) =>
  fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...some) },
        fc.string({ unit: 'binary-ascii', maxLength: 12 }),
      ),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((parts) => parts.join(''))

const slipOf = (texts: readonly string[]): Slip => {
  const pen = slipPen(place, amounts)
  return {
    ...{ title: 'Receipt', locale: 'en', columns, written: '2030-01-01T00:00:00Z' },
    lines: texts.flatMap((text) => [
      ...pen.wholeWidth(),
      ...pen.centred(text),
      slipRule,
      ...pen.amounts(),
      ...pen.pair(text, '12,50'),
      ...pen.wholeWidth(),
      ...pen.said(text),
    ]),
  }
}

/** What stands on paper without its blanks. */
const together = (text: string): string => text.replaceAll(/\s/g, '')

/** The letters of a text that are to be on paper. */
const lettersOf = (text: string): string =>
  together(
    text
      .normalize('NFC')
      .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, ' ')
      .replaceAll(/\p{Cf}/gu, ''),
  )

describe('a receipt as a printer takes it', () => {
  it('is the letters of what somebody typed and nothing else, in lines that fit, whatever that is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(textOf(pieces), { minLength: 100, maxLength: 100 }), async (texts) => {
        const { lines, cuts, questions } = decodedReceipt(await slipBytes(slipOf(texts)))
        assert.deepEqual([cuts, questions], [1, 0])
        for (const line of lines) assert.ok(line.width <= columns * 12, JSON.stringify(line))
        const printed = lines.map((line) => ('text' in line ? line.text : assert.fail('a picture'))).join('')
        const wanted = texts.map(lettersOf).map((text) => `${text}${'─'.repeat(columns)}${text}12,50${text}`)
        assert.equal(together(printed), wanted.join(''))
      }),
      { numRuns: 100, endOnFailure: true },
    )
  })

  it('has pictures of the lines that no code page can hold, as wide as the paper, among the others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(textOf([...pieces, ...others]), { minLength: 16, maxLength: 16 }),
        async (texts) => {
          const slip = slipOf(texts)
          for (const line of slipText(slip).split('\n')) assert.ok(paperWidth(line) <= columns, line)
          const { lines, cuts, questions } = decodedReceipt(await slipBytes(slip, { dots: 576 }))
          assert.deepEqual([cuts, questions], [1, 0])
          for (const line of lines)
            assert.ok(line.width <= ('text' in line ? columns * 12 : 576), JSON.stringify(line))
          assert.equal(
            lines.some((line) => 'picture' in line),
            texts.some(isExotic),
          )
        },
      ),
      { numRuns: 2, endOnFailure: true },
    )
  })

  it('is the same whatever was printed before it, in fonts that are opened once', async () => {
    const latin = slipOf(['papaya \u0113\u0301'])
    const first = await slipPdf(latin)
    // Letters that look alike are one glyph of the font.
    await slipPdf(slipOf(['рарауа \u0430\u0301']))
    const { slice } = Buffer.prototype
    let opened = 0
    // Whoever opens a font looks at its first four bytes.
    Buffer.prototype.slice = function (from?: number, to?: number) {
      if (from === 0 && to === 4 && this.length > 100_000) opened += 1
      return slice.call(this, from, to)
    }
    try {
      assert.ok(first.equals(await slipPdf(latin)))
      assert.equal(opened, 0)
      create(readFileSync(fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'))))
      assert.ok(opened > 0)
    } finally {
      Buffer.prototype.slice = slice
    }
  })
})
