import { transform } from 'receiptline'
import { cutPaper, escposRaster } from '../../domain/printers/raster-escpos.ts'
import { pageBitmaps } from '../printing/page-bitmaps.ts'
import { winAnsi } from '../tickets/ticket-sheet-text.ts'
import { type Slip, spelledSlip } from './slip.ts'
import { slipPdf } from './slip-pdf.ts'

const latin2 = 'ůćłŐőŹĆĹĺĽľŚśŤťŁčĄąŽžĘęźČşĚŞŻżĂăđĐĎďŇěŢŮŃńňŠšŔŕŰűţŘř'

/** The letters of code pages 437, 852, 858, 866 and 1252, which printers of this kind have. */
const codePages = (character: string): boolean =>
  winAnsi(character) || latin2.includes(character) || /^[А-яЁёЄєЇїЎў№]$/.test(character)

const isPrintable = (line: string): boolean =>
  Array.from(line).every((character) => /^[ -~]$/.test(character) || codePages(character))

/** Dots that a letter of a receipt printer is wide, of its own font. */
const letterDots = 12

/** Lines that are sent in the same way, with how columns are divided in them. */
interface SlipPart {
  readonly isText: boolean
  readonly lines: string[]
}

function partsOf(lines: readonly string[]): SlipPart[] {
  const parts: SlipPart[] = []
  let division: string | null = null
  for (const line of lines) {
    if (line.startsWith('{w:')) division = line
    const isText = isPrintable(line)
    const part = parts.at(-1)
    if (part?.isText === isText) part.lines.push(line)
    else parts.push({ isText, lines: division === null || division === line ? [line] : [division, line] })
  }
  return parts
}

/**
 * A slip as a printer takes it (ESC/POS). Letters of Western and Central Europe and Cyrillic ones are printed as they
 * are, from whichever code page has them; lines with others are sent as pictures, so many dots wide.
 */
export async function slipBytes(
  slip: Slip,
  { dots = slip.columns * letterDots }: { readonly dots?: number } = {},
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for (const { isText, lines } of partsOf(slip.lines)) {
    const part = { ...slip, lines }
    if (isText) pieces.push(withoutQuestion(textBytes(part)))
    else
      for (const page of await pageBitmaps(await slipPdf(part, 0), { dpi: 203, width: dots }))
        pieces.push(escposRaster(page))
  }
  return Buffer.concat([...pieces, cutPaper])
}

/** How the library asks the printer whether it is done (GS r, with the figure 1). */
const question = Uint8Array.of(0x1d, 0x72, 0x31)

/** Without that: whoever sends it asks, where the printer answers. */
const withoutQuestion = (bytes: Uint8Array): Uint8Array =>
  question.every((byte, at) => byte === bytes[bytes.length - question.length + at])
    ? bytes.subarray(0, -question.length)
    : bytes

const textBytes = (slip: Slip): Uint8Array =>
  Buffer.from(
    transform(spelledSlip(slip, codePages).lines.join('\n'), {
      ...{ cpl: slip.columns, encoding: 'multilingual', spacing: false, cutting: false, command: 'escpos' },
    }),
    'latin1',
  )
