import { LAYOUT_C, type ReportLayout } from '../../../main/scanners/hid-report.ts'

/** Builds the input reports in which a scanner of this layout sends a code. */
export function splitScan(
  layout: ReportLayout,
  code: string,
  more: { readonly aim?: string; readonly letter?: string } = {},
): readonly Uint8Array[] {
  const bytes = Buffer.from(code, 'utf8')
  const reports: Uint8Array[] = []
  for (let from = 0; from === 0 || from < bytes.length; from += layout.dataSize) {
    const report = new Uint8Array(layout.more?.at === LAYOUT_C.more?.at ? 62 : 64)
    const part = bytes.subarray(from, from + layout.dataSize)
    if (layout.reportId !== null) report[0] = layout.reportId
    report[layout.lengthAt] = part.length
    if (layout.aimAt !== null) report.set(Buffer.from(more.aim ?? '', 'latin1'), layout.aimAt)
    report.set(part, layout.dataAt)
    if (layout.letterAt !== null) report.set(Buffer.from(more.letter ?? '', 'latin1'), layout.letterAt)
    if (layout.more !== null && from + layout.dataSize < bytes.length) {
      report[layout.more.at] = 1 << layout.more.bit
    }
    reports.push(report)
  }
  return reports
}

// One item of a report descriptor: its tag and type, then its value in as many bytes as given.
function item(tag: number, ...bytes: number[]): readonly number[] {
  return [tag | (bytes.length === 4 ? 3 : bytes.length), ...bytes]
}

const PAGE = 0x04
const USAGE = 0x08
const SIZE = 0x74
const COUNT = 0x94
const REPORT_ID = 0x84
const INPUT = 0x80
const COLLECTION = 0xa0
const END = 0xc0

/** The report descriptor of a scanner with layout A; `id` null leaves the report without number. */
export function scannerDescriptor(id: number | null = 2): Uint8Array {
  return Uint8Array.from(
    [
      item(PAGE, 0x8c),
      item(USAGE, 0x02),
      item(COLLECTION, 0x01),
      // A status report with one bit and padding, before the one that matters.
      ...(id === null ? [] : [item(REPORT_ID, 1), item(USAGE, 0x30), item(SIZE, 1), item(COUNT, 1)]),
      ...(id === null ? [] : [item(INPUT, 0x02), item(SIZE, 7), item(INPUT, 0x03)]),
      ...(id === null ? [] : [item(REPORT_ID, id)]),
      item(USAGE, 0x12),
      item(COLLECTION, 0x02),
      item(SIZE, 8),
      item(COUNT, 1),
      // Byte count: a usage of the generic page, given in four bytes.
      item(USAGE, 0x3b, 0x00, 0x01, 0x00),
      item(INPUT, 0x02),
      item(COUNT, 3),
      item(USAGE, 0xfb),
      item(USAGE, 0xfc),
      item(USAGE, 0xfd),
      item(INPUT, 0x02),
      item(COUNT, 56),
      item(USAGE, 0xfe),
      item(INPUT, 0x02, 0x01),
      // The maker's two bytes.
      item(PAGE, 0x66, 0xff),
      item(COUNT, 2),
      item(USAGE, 0x04),
      item(INPUT, 0x02),
      item(PAGE, 0x8c),
      item(SIZE, 1),
      item(COUNT, 1),
      item(USAGE, 0xff),
      item(INPUT, 0x02),
      item(COUNT, 7),
      item(INPUT, 0x03),
      item(END),
      item(END),
    ].flat(),
  )
}

/** A boot keyboard's report descriptor, by the HID specification's appendix B.1 (shortened). */
export const KEYBOARD_DESCRIPTOR = Uint8Array.of(
  ...[0x05, 0x01, 0x09, 0x06, 0xa1, 0x01, 0x05, 0x07, 0x19, 0xe0, 0x29, 0xe7, 0x15, 0x00, 0x25, 0x01],
  ...[0x75, 0x01, 0x95, 0x08, 0x81, 0x02, 0x95, 0x01, 0x75, 0x08, 0x81, 0x01, 0xc0],
)
