import assert from 'node:assert/strict'
import { type Bitmap, bytesPerRow } from '../../../server/domain/printers/bitmap.ts'

/** A line of letters on paper, or a picture among them. */
export type PrintedLine =
  | { readonly text: string; readonly width: number }
  | { readonly picture: Bitmap; readonly width: number }

/** What a receipt printer makes of a document: line by line, with their widths in dots, and how it ends. */
export interface PrintedReceipt {
  readonly lines: readonly PrintedLine[]
  readonly cuts: number
  /** How often it is asked whether it is done. */
  readonly questions: number
}

const letterDots = 12

/** The upper halves of code pages, by the number after ESC t (Epson, "ESC/POS Application Programming Guide"). */
const codePages: Readonly<Record<number, string>> = {
  0: 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ',
  16: Array.from({ length: 128 }, (_, at) =>
    new TextDecoder('windows-1252').decode(Uint8Array.of(128 + at)),
  ).join(''),
  17: Array.from({ length: 128 }, (_, at) => new TextDecoder('ibm866').decode(Uint8Array.of(128 + at))).join(
    '',
  ),
  18: 'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■ ',
  19: 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■ ',
}
/** Katakana, of which only the rule across the paper is used. */
const katakana = 1

/** Commands that only change how what follows looks, with their lengths. */
const looks: Readonly<Record<string, number>> = {
  ...{ '1b 40': 2, '1b 32': 2, '1c 2e': 2, '1d 61': 3, '1b 4d': 3, '1b 20': 3, '1b 33': 3, '1b 7b': 3 },
  ...{ '1b 2d': 3, '1c 2d': 3, '1b 45': 3, '1d 42': 3, '1b 61': 3, '1c 43': 3, '1d 4c': 4, '1c 53': 4 },
  ...{ '1c 28': 7, '1b 4a': 3 },
}

/** Reads a document as a printer does; a byte that is no letter and no command of receipts is an error. */
export function decodedReceipt(bytes: Uint8Array): PrintedReceipt {
  const lines: PrintedLine[] = []
  let [text, at, x, widest, page, wide, cuts, questions] = ['', 0, 0, 0, 0, 1, 0, 0]
  let stored: Bitmap | null = null
  const number = (offset: number) => (bytes[at + offset] ?? 0) + 256 * (bytes[at + offset + 1] ?? 0)
  const draw = (picture: Bitmap): void => {
    assert.equal(text, '', 'a picture in the middle of a line')
    lines.push({ picture, width: picture.width })
  }
  const moveTo = (dots: number): void => {
    assert.ok(dots >= 0 && dots < 1024, `a place beyond the paper at ${at}`)
    if (dots > x) text += ' '.repeat(Math.round((dots - x) / letterDots))
    x = dots
  }
  const commands: Readonly<Record<string, () => number>> = {
    '1b 74'() {
      page = bytes[at + 2] ?? 0
      return 3
    },
    '1d 21'() {
      wide = ((bytes[at + 2] ?? 0) >> 4) + 1
      return 3
    },
    '1b 24'() {
      moveTo(number(2))
      return 4
    },
    '1b 5c'() {
      moveTo(x + number(2))
      return 4
    },
    '1d 57'() {
      assert.ok(number(2) <= 1024, 'a line that is wider than any paper')
      return 4
    },
    '1d 56'() {
      assert.deepEqual([...bytes.subarray(at + 2, at + 4)], [66, 0])
      cuts += 1
      return 4
    },
    '1d 72'() {
      questions += 1
      return 3
    },
    '1d 76'() {
      const [across, height] = [number(4), number(6)]
      assert.deepEqual([...bytes.subarray(at + 2, at + 4)], [0x30, 0])
      draw({ width: across * 8, height, rows: bytes.subarray(at + 8, at + 8 + across * height) })
      return 8 + across * height
    },
    '1d 38'() {
      const [width, height] = [number(13), number(15)]
      const size = bytesPerRow(width) * height
      assert.equal(number(3), size + 10)
      stored = { width, height, rows: bytes.subarray(at + 17, at + 17 + size) }
      return 17 + size
    },
    '1d 28'() {
      assert.deepEqual([...bytes.subarray(at + 2, at + 7)], [0x4c, 2, 0, 48, 50])
      assert.ok(stored, 'no picture to be printed')
      draw(stored)
      return 7
    },
  }
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    if (byte === 0x0a) {
      lines.push({ text: text.trimEnd(), width: widest })
      ;[text, x, widest] = ['', 0, 0]
      at += 1
    } else if (byte >= 0x20 && byte !== 0x7f) {
      const letter = byte < 0x80 ? String.fromCharCode(byte) : (codePages[page]?.[byte - 128] ?? '')
      assert.ok(letter !== '' || (page === katakana && byte === 0x95), `no letter ${byte} on page ${page}`)
      text += letter === '' ? '─' : letter
      x += letterDots * wide
      if (letter.trim() !== '' || letter === '') widest = x
      at += 1
    } else {
      const name = Buffer.from(bytes.subarray(at, at + 2))
        .toString('hex')
        .replace(/..$/, ' $&')
      const length = commands[name]?.() ?? looks[name]
      assert.ok(length, `an unknown command ${name} at ${at}`)
      at += length
    }
  }
  assert.equal(text, '')
  return { lines, cuts, questions }
}
