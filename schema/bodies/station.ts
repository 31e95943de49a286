import type { XStatic } from 'typebox/schema'
import { languages } from '../texts/translate.ts'

import { printersBody, printingBody } from './print-jobs.ts'
import { terminalBody } from './till-payments.ts'

/** Ids that every database can hold. */
const number = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** How a code came in. */
export const scanSources = ['hid', 'keyboard', 'camera', 'hand'] as const

/** Which way guests go through a gate. */
export const directions = ['entry', 'exit'] as const

/** What a station is for at the moment: admitting people, selling, or serving guests who help themselves. */
export const stationTasks = ['entrance', 'box-office', 'kiosk'] as const

/** What a station is for at the moment. */
export type StationTask = (typeof stationTasks)[number]

/** How a code came in. */
export type ScanSource = (typeof scanSources)[number]

/** Which way guests go through a gate. */
export type Direction = (typeof directions)[number]

/** The body of a scan that a station's page or scanner reports. */
export const stationScanBody = {
  type: 'object',
  required: ['code', 'source'],
  properties: {
    code: { type: 'string', minLength: 1, maxLength: 4096 },
    source: { type: 'string', enum: scanSources },
    symbology: { type: ['string', 'null'], maxLength: 10 },
    type: { type: 'string', enum: directions },
    answers: { type: ['object', 'null'], maxProperties: 500 },
    ignore_unpaid: { type: 'boolean' },
    force: { type: 'boolean' },
    /** The position that is meant, where somebody has chosen it by name. */
    position: { type: 'integer', ...number },
    nonce: { type: ['string', 'null'], maxLength: 190 },
    datetime: { type: ['string', 'null'] },
  },
} as const

/** The body that undoes a scan at a station. */
export const stationUndoBody = {
  type: 'object',
  required: ['nonce'],
  properties: { nonce: { type: 'string', minLength: 1, maxLength: 190 } },
} as const

/** The body that sets a station up. */
export const stationSettingsBody = {
  type: 'object',
  required: ['organizer', 'event', 'list', 'direction'],
  properties: {
    organizer: { type: 'string' },
    event: { type: 'string' },
    list: { type: 'integer', ...number },
    /** All lists whose tickets are admitted, where `list` is not the only one. */
    lists: { type: 'array', maxItems: 20, items: { type: 'integer', ...number } },
    direction: { type: 'string', enum: directions },
    gate: { type: ['integer', 'null'], ...number },
    name: { type: 'string', maxLength: 190 },
    locale: { type: 'string', enum: Object.keys(languages) },
    sound: { type: 'boolean' },
    camera: { type: 'boolean' },
    task: { type: 'string', enum: stationTasks },
    /** The card terminal beside it; an empty host for none. */
    terminal: terminalBody,
    printers: printersBody,
    printing: printingBody,
    /** The country whose law a till obeys, by two letters; empty for none. */
    country: { type: 'string', maxLength: 2 },
  },
} as const

/** The body that names the scanners plugged into a station. */
export const stationScannersBody = {
  type: 'array',
  maxItems: 50,
  items: {
    type: 'object',
    required: ['name', 'connected'],
    properties: { name: { type: 'string', maxLength: 190 }, connected: { type: 'boolean' } },
  },
} as const

/** A scan as a station's page sends it. */
export type ScanInput = Omit<Readonly<XStatic<typeof stationScanBody>>, 'type' | 'answers' | 'nonce'> & {
  readonly type: Direction
  readonly answers?: Readonly<Record<string, string>>
  readonly nonce: string
}

/** What sets a station up. */
export type SettingsInput = Readonly<Omit<XStatic<typeof stationSettingsBody>, 'locale'>> & {
  readonly locale?: string
}
