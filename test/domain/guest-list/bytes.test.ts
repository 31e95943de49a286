import assert from 'node:assert/strict'
import { decodeGuestList } from '../../../server/domain/guest-list/bytes.ts'

const text = 'Name;Straße\nZoë Müller;Łódź\n'

function utf16(content: string, order: 'le' | 'be'): number[] {
  return [...content].flatMap((letter) => {
    const unit = letter.charCodeAt(0)
    return order === 'le' ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255]
  })
}

describe('guest list bytes', () => {
  const utf8 = [...new TextEncoder().encode(text)]
  const files: readonly (readonly [
    title: string,
    bytes: readonly number[],
    encoding: string,
    guessed: boolean,
  ])[] = [
    ['UTF-8', utf8, 'utf-8', false],
    ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, ...utf8], 'utf-8', false],
    ['UTF-16 little endian', [0xff, 0xfe, ...utf16(text, 'le')], 'utf-16le', false],
    ['UTF-16 big endian', [0xfe, 0xff, ...utf16(text, 'be')], 'utf-16be', false],
    ['UTF-16 little endian without a mark', utf16(text, 'le'), 'utf-16le', false],
    ['UTF-16 big endian without a mark', utf16(text, 'be'), 'utf-16be', false],
  ]
  for (const [title, bytes, encoding, guessed] of files) {
    it(`reads ${title}`, () => {
      assert.deepEqual(decodeGuestList(Uint8Array.from(bytes)), { text, encoding, guessed, problem: null })
    })
  }

  it('takes for Windows-1252 what is not UTF-8, and says that it is a guess', () => {
    const bytes = Uint8Array.from([
      0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x20, 0x80, 0x35, 0x20, 0x96, 0x20, 0xdf,
    ])
    assert.deepEqual(decodeGuestList(bytes), {
      text: 'Müller €5 – ß',
      encoding: 'windows-1252',
      guessed: true,
      problem: null,
    })
  })

  it('sees that Polish from an older Excel is Windows-1250', () => {
    const polish = Uint8Array.from([
      0x50, 0x61, 0x77, 0x65, 0xb3, 0x20, 0xaf, 0xf3, 0xb3, 0x6b, 0x69, 0x65, 0x77, 0x73, 0x6b, 0x69,
    ])
    const { text: read, encoding, guessed } = decodeGuestList(polish)
    assert.deepEqual([read, encoding, guessed], ['Paweł Żółkiewski', 'windows-1250', true])
    const spanish = Uint8Array.from([
      0xbf, 0x51, 0x75, 0xe9, 0x3f, 0x20, 0x35, 0x20, 0x6d, 0xb3, 0x20, 0xa3, 0x35, 0x30, 0x20, 0xbf, 0x71,
      0x75, 0xe9, 0x3f,
    ])
    assert.deepEqual(decodeGuestList(spanish).text, '¿Qué? 5 m³ £50 ¿qué?')
  })

  it('keeps UTF-8 when only a few bytes are broken', () => {
    const broken = Uint8Array.from([...utf8, 0x4d, 0xfc, 0x6c])
    const decoded = decodeGuestList(broken)
    assert.equal(decoded.encoding, 'utf-8')
    assert.equal(decoded.text, `${text}M\ufffdl`)
  })

  it('makes every line end a line feed', () => {
    assert.equal(decodeGuestList(new TextEncoder().encode('a\r\nb\rc\nd')).text, 'a\nb\nc\nd')
  })

  const refused: readonly (readonly [title: string, bytes: readonly number[], words: RegExp])[] = [
    ['a workbook', [0x50, 0x4b, 3, 4, 20, 0], /workbook.*CSV UTF-8/],
    ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0], /old Excel workbook/],
    ['a PDF', [0x25, 0x50, 0x44, 0x46, 0x2d], /PDF/],
    ['something binary', [65, 66, 67, 68, 69, 70, 71, 0, 72, 73, 74, 75], /not a text file/],
    ['an empty file', [], /empty/],
    ['a file with only a mark and blank lines', [0xef, 0xbb, 0xbf, 10, 13, 10], /empty/],
  ]
  for (const [title, bytes, words] of refused) {
    it(`refuses ${title} with words`, () => {
      assert.match(decodeGuestList(Uint8Array.from(bytes)).problem ?? '', words)
    })
  }
})
