import type { Static } from 'typebox'
import {
  shownChoice,
  shownList,
  shownMoment,
  shownOrNull,
  shownRecord,
  shownText,
  shownWhole,
} from '../shown.ts'

/** What a station prints on roll paper: a receipt, the closing of a drawer (Z), or a page that shows what a printer can. */
export const printDocuments = ['receipt', 'closing', 'test'] as const

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
  'broken-off',
  'restarted',
  'no-printer',
  'gone',
  'withdrawn',
] as const

/** The body that says where the receipt printers of a station are: the first one prints, the others stand in for it. */
export const printersBody = {
  type: 'array',
  maxItems: 4,
  items: {
    type: 'object',
    required: ['host'],
    properties: {
      host: { type: 'string', minLength: 1, maxLength: 253, pattern: '^[A-Za-z0-9.:-]+$' },
      port: { type: 'integer', minimum: 1, maximum: 65_535 },
      /** How many letters a line of its paper has. */
      columns: { type: 'integer', minimum: 24, maximum: 64 },
      /** Whether it answers how it is; of one that does not, nobody knows whether it has printed. */
      answers: { type: 'boolean' },
      /** Whether the drawer hangs at it, and opens when cash is taken. */
      drawer: { type: 'boolean' },
    },
  },
} as const

/** The body that has something printed: a receipt or closing by its id, or the newest receipt of an order at this till. */
export const printJobBody = {
  type: 'object',
  required: ['id', 'document'],
  properties: {
    id: { type: 'string', minLength: 8, maxLength: 64, pattern: '^[\\w-]+$' },
    document: { type: 'string', enum: printDocuments },
    subject: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    order: { type: 'string', maxLength: 16 },
    locale: { type: 'string', maxLength: 20 },
  },
} as const

/** The body by which somebody says whether the paper came out, or that it is not wanted any more. */
export const printDecisionBody = {
  type: 'object',
  required: ['printed'],
  properties: { printed: { type: 'boolean' } },
} as const

const printJob = shownRecord({
  id: shownText,
  document: shownChoice(printDocuments),
  subject: shownOrNull(shownWhole),
  /** What stands on it: the number of the receipt or closing. */
  title: shownText,
  /** 0 for the original. */
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
