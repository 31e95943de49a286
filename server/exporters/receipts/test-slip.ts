import { type Slip, type SlipPlace, slipPen, slipRule } from './slip.ts'

/** Letters of each code page that printers have, and one that is spelled. */
const samples = ['äöüß ÄÖÜ éèê ñ ç', 'ąćęłńóśźż ŠŽČ ř ő', 'Приве́т Ж Ї', '€ £ §', '漢 ש ع']

/** A page that shows what a printer can: how wide its paper is, its letters, a code to be scanned, and its knife. */
export function testSlip(
  { name, printed }: { readonly name: string; readonly printed: string },
  place: SlipPlace,
): Slip {
  const pen = slipPen(place, [])
  const { t, centred, said, moment } = pen
  const ruler = Array.from({ length: place.columns }, (_, index) => (index + 1) % 10).join('')
  return {
    title: t('printer.test'),
    locale: place.locale,
    columns: place.columns,
    written: printed,
    lines: [
      ...pen.wholeWidth(),
      ...centred(t('printer.test')),
      ...centred(name),
      ...centred(moment(printed)),
      slipRule,
      ruler,
      ...said(t('printer.ruler', { columns: place.columns })),
      slipRule,
      ...samples.flatMap(said),
      slipRule,
      '{code:GATEHOUSE; option:qrcode,6,m}',
      ...centred('GATEHOUSE'),
    ],
  }
}
