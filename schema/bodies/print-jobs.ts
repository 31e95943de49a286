import type { Static } from 'typebox'
import {
  shownChoice,
  shownList,
  shownMoment,
  shownOrNull,
  shownRecord,
  shownText,
  shownTextOrNull,
  shownWhole,
} from '../shown.ts'
import { printerProfileNames, printerWays } from './printer-profiles.ts'

/** What a station prints; a test is a page that shows what a printer can. */
export const printDocuments = ['receipt', 'closing', 'ticket', 'badge', 'wristband', 'test'] as const

/** See printDocuments. */
export type PrintDocument = (typeof printDocuments)[number]

/** What a printer is for: all but tests, which every one prints. */
export const printerDuties = ['receipt', 'closing', 'ticket', 'badge', 'wristband'] as const

/** What is printed for a ticket, once. */
export const guestDocuments = ['ticket', 'badge', 'wristband'] as const

/** See guestDocuments. */
export type GuestDocument = (typeof guestDocuments)[number]

/**
 * What has become of a print: it waits, is being sent, was sent to a printer that says nothing, was printed as the printer
 * says, may have been printed, or was given up.
 */
export const printStates = ['waiting', 'sending', 'sent', 'printed', 'unknown', 'failed'] as const

/** Why it is not printed, or not known to be. */
export const printReasons = [
  'unreachable',
  'silent',
  'paper',
  'open',
  'offline',
  'stopped',
  'certificate',
  'unfit',
  'broken-off',
  'restarted',
  'no-printer',
  'background-missing',
  'background-damaged',
  'gone',
  'canceled',
  'withdrawn',
] as const

/** The body that says which printers a station has: the first one for a document prints it, the others stand in. */
export const printersBody = {
  type: 'array',
  maxItems: 8,
  items: {
    type: 'object',
    properties: {
      way: { type: 'string', enum: printerWays },
      /** Where it is: a host, the address of an IPP printer, a device, the name of a queue, or a folder. */
      address: { type: 'string', minLength: 1, maxLength: 400 },
      /** Another way to say the address of one in the network. */
      host: { type: 'string', minLength: 1, maxLength: 253, pattern: '^[A-Za-z0-9.:-]+$' },
      port: { type: 'integer', minimum: 1, maximum: 65_535 },
      profile: { type: 'string', enum: printerProfileNames },
      /** What it prints. */
      documents: { type: 'array', items: { type: 'string', enum: printerDuties }, maxItems: 5 },
      /** How many letters a line of its paper has. */
      columns: { type: 'integer', minimum: 24, maximum: 64 },
      /** Whether it answers how it is; of one that does not, nobody knows whether it has printed. */
      answers: { type: 'boolean' },
      /** Whether the drawer hangs at it, and opens when cash is taken. */
      drawer: { type: 'boolean' },
    },
  },
} as const

/** The body that says what is printed without being asked: for who is admitted, and for what is sold. */
export const printingBody = {
  type: 'object',
  properties: {
    at_entry: { type: 'array', items: { type: 'string', enum: guestDocuments }, maxItems: 3 },
    at_sale: { type: 'array', items: { type: 'string', enum: guestDocuments }, maxItems: 3 },
  },
} as const

/**
 * The body that has something printed: a receipt or closing by its id, the newest receipt of an order at this till, or what
 * comes with a position by its id.
 */
export const printJobBody = {
  type: 'object',
  required: ['id', 'document'],
  properties: {
    id: { type: 'string', minLength: 8, maxLength: 64, pattern: '^[\\w-]+$' },
    document: { type: 'string', enum: printDocuments },
    subject: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    order: { type: 'string', maxLength: 16 },
    /** The address of the printer that a test is for. */
    printer: { type: 'string', maxLength: 400 },
    /** Whether it is printed although it was before; some staff may not. */
    again: { type: 'boolean' },
    locale: { type: 'string', maxLength: 20 },
  },
} as const

/** The body by which somebody says whether the paper came out, or that it is not wanted any more. */
export const printDecisionBody = {
  type: 'object',
  required: ['printed'],
  properties: { printed: { type: 'boolean' } },
} as const

/** The body by which the station's window says what has become of pages that it was to print. */
export const printWindowBody = {
  type: 'object',
  required: ['state'],
  properties: { state: { type: 'string', enum: ['begun', 'printed', 'failed'] } },
} as const

const printJob = shownRecord({
  id: shownText,
  document: shownChoice(printDocuments),
  subject: shownOrNull(shownWhole),
  /** What it is called: the number of the receipt or closing, or whose ticket it is. */
  title: shownText,
  /** 0 for the original, or what is printed for the first time. */
  copy: shownWhole,
  created: shownMoment,
  state: shownChoice(printStates),
  reason: shownOrNull(shownChoice(printReasons)),
  printer: shownOrNull(shownText),
})

/** Something that a station prints, as its screens show it. */
export type ShownPrintJob = Static<typeof printJob>

const printJobs = shownRecord({ results: shownList(printJob) })

/** Those that somebody has to look after. */
export type ShownPrintJobs = Static<typeof printJobs>

const shownPrinter = shownRecord({
  way: shownChoice(printerWays),
  address: shownText,
  profile: shownChoice(printerProfileNames),
  documents: shownList(shownChoice(printerDuties)),
  /** What keeps it from printing; null where it is ready, as far as it says. */
  trouble: shownOrNull(shownChoice(printReasons)),
})

/** How a printer of a station is. */
export type ShownPrinter = Static<typeof shownPrinter>

const shownPrinters = shownRecord({ results: shownList(shownPrinter) })

/** How they all are. */
export type ShownPrinters = Static<typeof shownPrinters>

const earlierPrint = shownRecord({ datetime: shownMoment, device: shownTextOrNull })

/** When and where something was printed before. */
export type EarlierPrint = Static<typeof earlierPrint>

/** Pages that the station's window is to print, at a printer of its machine. */
export interface PrintPages {
  readonly id: string
  readonly printer: string
  readonly pages: number
  readonly width_mm: number
  readonly height_mm: number
}
