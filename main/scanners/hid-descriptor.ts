import type { ReportLayout } from './hid-report.ts'

// A run of equal fields of an input report, by the HID 1.11 specification, section 6.2.2.
interface InputField {
  readonly usage: number
  readonly reportId: number | null
  /** Bits from the beginning of the report, without the byte of its id. */
  readonly bit: number
  readonly size: number
  readonly count: number
}

// Usage page in the upper half, usage in the lower, as the HID usage tables have them.
const BYTE_COUNT = 0x0001_003b
const AIM_FIRST = 0x008c_00fb
const DATA = 0x008c_00fe
const CONTINUED = 0x008c_00ff

// The type of an item: the two bits of its prefix between its size and its tag.
const TYPE_BITS = 0x0c
const MAIN = 0x00
const GLOBAL = 0x04
const LOCAL = 0x08

const MAX_FIELDS = 1000
const MAX_BITS = 8 * 4096

/**
 * Finds the layout of scanned data in a device's report descriptor (usage page 0x8C of the HID usage tables).
 * Null when it has no such report or is damaged.
 */
export function layoutFromDescriptor(descriptor: Uint8Array): ReportLayout | null {
  const fields = readInputFields(descriptor)
  for (const data of fields) {
    if (data.usage !== DATA || data.size !== 8 || data.bit % 8 !== 0 || data.count < 2) continue
    const inReport = (usage: number) =>
      fields.find((field) => field.usage === usage && field.reportId === data.reportId)
    const byte = (bit: number) => Math.floor(bit / 8) + (data.reportId === null ? 0 : 1)
    const length = inReport(BYTE_COUNT)
    if (length === undefined || length.size !== 8 || length.bit % 8 !== 0) continue
    const aim = inReport(AIM_FIRST)
    const more = inReport(CONTINUED)
    return {
      reportId: data.reportId,
      lengthAt: byte(length.bit),
      aimAt: aim !== undefined && aim.size === 8 && aim.bit % 8 === 0 ? byte(aim.bit) : null,
      dataAt: byte(data.bit),
      dataSize: data.count,
      letterAt: null,
      more: more === undefined ? null : { at: byte(more.bit), bit: more.bit % 8 },
    }
  }
  return null
}

interface Globals {
  readonly page: number
  readonly size: number
  readonly count: number
  readonly reportId: number | null
}

/** What the items read so far have set and declared. */
interface Reading {
  readonly fields: InputField[]
  /** The bits that each report has so far. */
  readonly ends: Map<number | null, number>
  readonly pushed: Globals[]
  globals: Globals
  usages: number[]
  usageMinimum: number
}

function readInputFields(descriptor: Uint8Array): readonly InputField[] {
  const reading: Reading = {
    fields: [],
    ends: new Map(),
    pushed: [],
    globals: { page: 0, size: 0, count: 0, reportId: null },
    usages: [],
    usageMinimum: 0,
  }
  for (const item of readItems(descriptor)) {
    const type = item.tag & TYPE_BITS
    if (type === GLOBAL) readGlobal(reading, item)
    else if (type === LOCAL) readLocal(reading, item)
    else if (type === MAIN && !readMain(reading, item)) return []
  }
  return reading.fields
}

function readGlobal(reading: Reading, { tag, value }: Item): void {
  const { globals, pushed } = reading
  switch (tag) {
    case 0x04:
      reading.globals = { ...globals, page: value }
      break
    case 0x74:
      reading.globals = { ...globals, size: value }
      break
    case 0x84:
      reading.globals = { ...globals, reportId: value }
      break
    case 0x94:
      reading.globals = { ...globals, count: value }
      break
    case 0xa4:
      if (pushed.length < 16) pushed.push(globals)
      break
    case 0xb4:
      reading.globals = pushed.pop() ?? globals
      break
    default:
      break
  }
}

function readLocal(reading: Reading, { tag, value, bytes }: Item): void {
  const { usages, usageMinimum } = reading
  const usage = bytes === 4 ? value : reading.globals.page * 0x1_0000 + value
  switch (tag) {
    case 0x08:
      if (usages.length < MAX_FIELDS) usages.push(usage)
      break
    case 0x18:
      reading.usageMinimum = usage
      break
    case 0x28: {
      const last = Math.min(usage, usageMinimum + 255)
      for (let next = usageMinimum; next <= last && usages.length < MAX_FIELDS; next++) usages.push(next)
      break
    }
    default:
      break
  }
}

// False when the device declares more than any report holds.
function readMain(reading: Reading, { tag, value }: Item): boolean {
  switch (tag) {
    case 0x80:
      // Bit 0 marks padding.
      if (!addInputFields(reading, (value & 1) !== 0)) return false
      reading.usages = []
      break
    case 0x90:
    case 0xb0:
    case 0xa0:
    case 0xc0:
      reading.usages = []
      break
    default:
      break
  }
  return true
}

function addInputFields({ fields, ends, globals, usages }: Reading, isPadding: boolean): boolean {
  const { size, count, reportId } = globals
  const start = ends.get(reportId) ?? 0
  const end = start + size * count
  if (end > MAX_BITS || fields.length > MAX_FIELDS) return false
  ends.set(reportId, end)
  if (isPadding) return true
  for (const [index, usage] of usages.slice(0, count).entries()) {
    // The last usage counts for all fields that are left.
    const run = index === usages.length - 1 ? count - index : 1
    fields.push({ usage, reportId, bit: start + index * size, size, count: run })
  }
  return true
}

interface Item {
  /** The item's tag and type, with the two bits of its size cleared. */
  readonly tag: number
  readonly value: number
  readonly bytes: number
}

function* readItems(descriptor: Uint8Array): Generator<Item> {
  let at = 0
  while (at < descriptor.length) {
    const prefix = descriptor[at] ?? 0
    if (prefix === 0xfe) {
      // A long item: its length is in the next byte; none is defined.
      at += 3 + (descriptor[at + 1] ?? 0)
      continue
    }
    const bytes = [0, 1, 2, 4][prefix & 3] ?? 0
    let value = 0
    for (let index = bytes; index > 0; index--) value = value * 256 + (descriptor[at + index] ?? 0)
    yield { tag: prefix & 0xfc, value, bytes }
    at += 1 + bytes
  }
}
