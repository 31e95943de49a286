import { type Bitmap, bytesPerRow, stripOf } from './bitmap.ts'

/** What a printer of labels does with a picture beyond printing it. */
export interface LabelOptions {
  readonly copies?: number
  /** Cuts behind the label, where there is a knife. */
  readonly cut?: boolean
}

/** A picture as one label for a printer of Zebra's language (ZPL II): a compressed graphic field and nothing else. */
export function zplLabel(bitmap: Bitmap, { copies = 1, cut = false }: LabelOptions = {}): Uint8Array {
  const { width, height } = bitmap
  const across = bytesPerRow(width)
  const size = across * height
  return Buffer.from(
    [
      '^XA',
      cut ? '^MMC' : '',
      `^PW${across * 8}^LL${height}^LH0,0^LT0^FO0,0`,
      `^GFA,${size},${size},${across},${compressed(bitmap)}^FS`,
      `^PQ${copies}^XZ\n`,
    ].join(''),
    'latin1',
  )
}

/** The rows in hexadecimal digits with Zebra's signs for repetition. */
function compressed(bitmap: Bitmap): string {
  let before = ''
  return Array.from({ length: bitmap.height }, (_, row) => {
    const digits = Buffer.from(stripOf(bitmap, row, row + 1).rows)
      .toString('hex')
      .toUpperCase()
    const isSame = digits === before
    before = digits
    return isSame ? ':' : compressedRow(digits)
  }).join('')
}

/** A row: what is empty or black to its end is one sign, and a digit that comes often is counted. */
function compressedRow(digits: string): string {
  const [end = ''] = /0+$|F+$/.exec(digits) ?? []
  const body = digits.slice(0, digits.length - end.length)
  return body.replaceAll(/(.)\1*/g, counted) + (end === '' ? '' : end.startsWith('0') ? ',' : '!')
}

/** One sign stands for up to 19, another for a multiple of 20 up to 400. */
function counted(run: string, digit: string): string {
  if (run.length < 3) return run
  let signs = ''
  let left = run.length
  for (; left >= 400; left -= 400) signs += 'z'
  if (left >= 20) signs += String.fromCharCode(0x66 + Math.floor(left / 20))
  if (left % 20 > 0) signs += String.fromCharCode(0x46 + (left % 20))
  return signs + digit
}
