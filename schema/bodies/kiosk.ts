import { type Static, Type } from 'typebox'
import { the } from '../json-schema.ts'
import {
  shownChoice,
  shownFlag,
  shownList,
  shownNames,
  shownOrNull,
  shownRecord,
  shownText,
  shownTextOrNull,
  shownWhole,
} from '../shown.ts'
import { guestDocuments } from './print-jobs.ts'
import type { CheckinQuestion } from './scan-result.ts'
import { scanSources } from './station.ts'

/** Why a kiosk is out of order, with the code that its screen shows; the gravest first. */
export const kioskFaults = {
  server: 'S1',
  revoked: 'R1',
  event: 'E1',
  printer: 'P2',
  paper: 'P1',
  clock: 'C1',
  data: 'D1',
} as const

/** Why a kiosk is out of order. */
export type KioskFault = keyof typeof kioskFaults

/** The codes by which staff know why a ticket was refused; the screen of a kiosk says nothing more of it. */
const refusalCodes: Readonly<Record<string, string>> = {
  invalid: 'T1',
  ambiguous: 'T2',
  revoked: 'T3',
  canceled: 'T4',
  blocked: 'T5',
  unpaid: 'T6',
  unapproved: 'T7',
  already_redeemed: 'T8',
  product: 'T9',
  invalid_time: 'T10',
  rules: 'T11',
}

/** The code by which staff know why a ticket was refused. */
export const refusalCode = (reason: string): string => refusalCodes[reason] ?? 'T0'

const faultWords: readonly KioskFault[] = ['server', 'revoked', 'event', 'printer', 'paper', 'clock', 'data']

/** What a guest says to the desk for a print that did not come: so many first letters of their ticket's pseudonym. */
export const deskCodeLength = 4

/** The body that looks for a guest's tickets: an order code with a last name, or a whole email address. */
export const kioskFindBody = {
  type: 'object',
  properties: {
    order: { type: 'string', maxLength: 40 },
    last_name: { type: 'string', maxLength: 200 },
    email: { type: 'string', maxLength: 254 },
  },
} as const

/** The body that checks a guest in: by what was scanned, or a ticket of what was found. */
export const kioskScanBody = {
  type: 'object',
  required: ['nonce', 'source'],
  properties: {
    nonce: { type: 'string', minLength: 8, maxLength: 190 },
    source: { type: 'string', enum: scanSources },
    code: { type: 'string', maxLength: 4096 },
    /** A visit and the place of a ticket in what was offered for it. */
    visit: { type: 'string', maxLength: 64 },
    offer: { type: 'integer', minimum: 0, maximum: 100 },
    answers: { type: ['object', 'null'], maxProperties: 500 },
  },
} as const

/** The parts of a name that a guest may correct. */
export const correctableParts = ['given_name', 'middle_name', 'family_name', 'full_name'] as const

const namePartText = { type: 'string', maxLength: 100 } as const

/** The body that has printed what comes with a guest's ticket, once the name on it is right. */
export const kioskPrintBody = {
  type: 'object',
  properties: {
    name_parts: {
      type: 'object',
      properties: {
        given_name: namePartText,
        middle_name: namePartText,
        family_name: namePartText,
        full_name: namePartText,
      },
      additionalProperties: false,
    },
  },
} as const

/** The body by which staff open a kiosk: with the PIN of somebody who may; the shell looks at its exit PIN itself. */
export const kioskUnlockBody = {
  type: 'object',
  required: ['pin', 'exit_pin'],
  properties: {
    pin: { type: 'string', maxLength: 64 },
    /** What the shell said of it: right, wrong, or that none is set. */
    exit_pin: { type: 'string', enum: ['right', 'wrong', 'none'] },
  },
} as const

/** The body by which a kiosk asks the server above for a guest's tickets. */
export const findGuestBody = {
  type: 'object',
  required: ['list'],
  properties: {
    list: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    ...kioskFindBody.properties,
  },
} as const

const product = { item_name: shownNames, variation_name: shownOrNull(shownNames) }

const offer = shownRecord({ ...product, number: shownText })

/** A ticket of a guest who has proved whose order it is: what it is for and its number, and nobody's name. */
export type KioskOffer = Static<typeof offer>

const found = shownRecord(
  { status: shownChoice(['found', 'none', 'busy', 'offline']), offers: shownList(offer) },
  {
    /** By what the tickets are checked in. */
    visit: shownText,
    /** The language of the order. */
    locale: shownText,
    /** Seconds until somebody may look again. */
    wait: shownWhole,
  },
)

/** What became of looking for a guest's tickets. */
export type KioskFound = Static<typeof found>

const guestPrint = shownRecord({
  document: shownChoice(guestDocuments),
  state: shownChoice(['printing', 'printed', 'earlier', 'failed']),
})

/** What is printed for a guest, and what has become of it. */
export type KioskPrint = Static<typeof guestPrint>

const guestPrints = shownRecord({
  results: shownList(guestPrint),
  /** By what the desk finds the ticket; empty where nothing is printed. */
  code: shownText,
})

/** All that is printed for a guest. */
export type KioskPrints = Static<typeof guestPrints>

const namePart = shownRecord({ part: shownChoice(correctableParts), text: shownText })

/** A part of a name that a guest may correct. */
export type NamePart = Static<typeof namePart>

const result = shownRecord({
  nonce: shownText,
  status: shownChoice(['ok', 'error', 'incomplete']),
  /** Why the ticket is refused, as a word; null where it is not. */
  reason: shownTextOrNull,
  /** What staff know the refusal by. */
  code: shownTextOrNull,
  /** The name on the ticket, of who is let in. */
  name: shownTextOrNull,
  ticket: shownOrNull(shownRecord({ ...product, seat: shownTextOrNull })),
  locale: shownTextOrNull,
  /** The name on the ticket, where the guest is asked whether it is right before anything is printed; else nothing. */
  name_parts: shownList(namePart),
  /** What is being printed; null where the guest was not let in, or is asked for the name first. */
  prints: shownOrNull(guestPrints),
  questions: shownList(Type.Unsafe<CheckinQuestion>(the('Question'))),
})

/** What became of a guest's check-in, without anything that their ticket does not prove. */
export type KioskResult = Static<typeof result>

const kioskState = shownRecord({
  event: shownOrNull(
    shownRecord({
      name: shownNames,
      color: shownTextOrNull,
      languages: shownList(shownText),
    }),
  ),
  /** The number by which staff know this machine. */
  device: shownText,
  direction: shownChoice(['entry', 'exit']),
  /** What keeps it out of order, the gravest first; `stays` until somebody has looked. */
  faults: shownList(shownRecord({ fault: shownChoice(faultWords), stays: shownFlag })),
  /** Seconds until guests may look for their tickets again. */
  wait: shownWhole,
  /** Seconds. */
  idle: shownWhole,
  warning: shownWhole,
  done: shownWhole,
  /** Whether staff are asked for a PIN of theirs. */
  asks_pin: shownFlag,
  /** Whether an email address is enough at the moment: they are known here, or the server above is reachable. */
  by_email: shownFlag,
})

/** What a kiosk is, and how it is. */
export type ShownKiosk = Static<typeof kioskState>
