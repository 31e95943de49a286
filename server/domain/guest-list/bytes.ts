/** The encodings that guest lists come in. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'windows-1250'

/** A guest list as text: every line ends in `\n`, there is no byte order mark. */
interface DecodedList {
  readonly text: string
  readonly encoding: Encoding
  /** True when nothing in the file proves the encoding, so that somebody should look at the umlauts. */
  readonly guessed: boolean
  /** Why the file is not a guest list, and what to do; null when there is text. */
  readonly problem: string | null
}

const otherFiles: readonly { readonly magic: readonly number[]; readonly problem: string }[] = [
  {
    magic: [0x50, 0x4b, 0x03, 0x04],
    problem: 'This is an Excel or LibreOffice workbook. Save it as "CSV UTF-8" and import that file.',
  },
  {
    magic: [0xd0, 0xcf, 0x11, 0xe0],
    problem: 'This is an old Excel workbook. Save it as "CSV UTF-8" and import that file.',
  },
  {
    magic: [0x25, 0x50, 0x44, 0x46],
    problem: 'This is a PDF. Ask for the list as a spreadsheet, save it as CSV and import that file.',
  },
]

const marks: readonly { readonly mark: readonly number[]; readonly encoding: Encoding }[] = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
]

/**
 * The text of a file as organizers send it. A byte order mark decides; without one, UTF-16 shows in its zero
 * bytes, text that reads as UTF-8 is UTF-8, and everything else is Windows-1252 (which includes Latin-1), or
 * Windows-1250 when that makes Polish of it. A few broken bytes in a file that is otherwise UTF-8 become U+FFFD, so
 * that only their rows are refused.
 */
export function decodeGuestList(bytes: Uint8Array): DecodedList {
  const other = otherFiles.find(({ magic }) => startsWith(bytes, magic))
  if (other) return unreadable(other.problem)
  const known = marks.find(({ mark }) => startsWith(bytes, mark))
  const encoding = known?.encoding ?? wideEncoding(bytes) ?? narrowEncoding(bytes)
  const text = new TextDecoder(encoding).decode(bytes).replaceAll(/\r\n?/g, '\n')
  if (text.trim() === '') return unreadable('The file is empty.')
  if (text.includes('\0'))
    return unreadable('This is not a text file. Save the list as CSV and import that file.')
  return { text, encoding, guessed: encoding.startsWith('windows'), problem: null }
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}

function unreadable(problem: string): DecodedList {
  return { text: '', encoding: 'utf-8', guessed: false, problem }
}

/** UTF-16 without a mark: in text that is mostly Latin, every other byte is zero. */
function wideEncoding(bytes: Uint8Array): Encoding | undefined {
  const sample = bytes.subarray(0, 2000)
  const zeros = [0, 0]
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const many = sample.length * 0.3
  if (odd > many && even < odd / 10) return 'utf-16le'
  return even > many && odd < even / 10 ? 'utf-16be' : undefined
}

function narrowEncoding(bytes: Uint8Array): Encoding {
  const text = new TextDecoder('utf-8').decode(bytes)
  const broken = text.split('\ufffd').length - 1
  if (broken === 0) return 'utf-8'
  const whole = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0
  if (whole > broken) return 'utf-8'
  return misreadPolish.test(new TextDecoder('windows-1252').decode(bytes)) ? 'windows-1250' : 'windows-1252'
}

/** The letters ł, ą, ż, Ł and Ż of Windows-1250 where it was taken for Windows-1252: Pawe³, S¹siad, £ódŸ. */
const misreadPolish = /\p{L}[³¹¿]\p{Ll}|\p{Ll}{2}[³¹]|[£¯]\p{Ll}{2}/u
