import { transform } from 'receiptline'
import { winAnsi } from '../tickets/ticket-sheet-text.ts'
import { type Slip, spelledSlip } from './slip.ts'

const latin2 = 'ůćłŐőŹĆĹĺĽľŚśŤťŁčĄąŽžĘęźČşĚŞŻżĂăđĐĎďŇěŢŮŃńňŠšŔŕŰűţŘř'

/** The letters of code pages 437, 852, 858, 866 and 1252, which printers of this kind have. */
const codePages = (character: string): boolean =>
  winAnsi(character) || latin2.includes(character) || /^[А-яЁёЄєЇїЎў№]$/.test(character)

/**
 * A slip as a printer takes it (ESC/POS). Letters of Western and Central Europe and Cyrillic ones are printed as they
 * are, from whichever code page has them; others lose their accents or are spelled as in passports, and what cannot be
 * spelled is `?`.
 */
export const slipBytes = async (slip: Slip, _paper: { readonly dots?: number } = {}): Promise<Uint8Array> =>
  Buffer.from(
    transform(spelledSlip(slip, codePages).lines.join('\n'), {
      ...{ cpl: slip.columns, encoding: 'multilingual', spacing: false, cutting: true, command: 'escpos' },
    }),
    'latin1',
  )
