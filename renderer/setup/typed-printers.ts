import { type Signal, signal, useSignal } from '@preact/signals'
import { type GuestDocument, guestDocuments, printerDuties } from '../../schema/bodies/print-jobs.ts'
import {
  type PrinterProfileName,
  type PrinterWay,
  profileNamed,
} from '../../schema/bodies/printer-profiles.ts'
import type { Settings } from '../../schema/bodies/station-state.ts'

type StoredPrinter = NonNullable<Settings['printers']>[number]

/** What a printer may be for. */
export type Duty = (typeof printerDuties)[number]

/** A printer as it is typed. */
export interface TypedPrinter {
  readonly way: Signal<PrinterWay>
  readonly address: Signal<string>
  readonly profile: Signal<PrinterProfileName>
  readonly duties: Readonly<Record<Duty, Signal<boolean>>>
  readonly columns: Signal<string>
  readonly answers: Signal<boolean>
  readonly drawer: Signal<boolean>
}

/** The printers of a station as they are typed, and what they print by themselves. */
export interface TypedPrinters {
  readonly printers: Signal<readonly TypedPrinter[]>
  readonly atEntry: Readonly<Record<GuestDocument, Signal<boolean>>>
  readonly atSale: Readonly<Record<GuestDocument, Signal<boolean>>>
}

const usual: StoredPrinter = {
  ...{ way: 'tcp', address: '', profile: 'escpos-80', columns: 42, answers: true, drawer: true },
  documents: [],
}

/** The fields of a printer as they are at the beginning. */
export const typedPrinter = (stored: StoredPrinter = usual): TypedPrinter => ({
  way: signal(stored.way),
  address: signal(stored.address),
  profile: signal(stored.profile),
  duties: {
    receipt: signal(stored.documents.includes('receipt')),
    closing: signal(stored.documents.includes('closing')),
    ticket: signal(stored.documents.includes('ticket')),
    badge: signal(stored.documents.includes('badge')),
    wristband: signal(stored.documents.includes('wristband')),
  },
  columns: signal(String(stored.columns)),
  answers: signal(stored.answers),
  drawer: signal(stored.drawer),
})

const wantedOf = (documents: readonly GuestDocument[] = []) => ({
  ticket: signal(documents.includes('ticket')),
  badge: signal(documents.includes('badge')),
  wristband: signal(documents.includes('wristband')),
})

/** The fields as they are at the beginning. */
export function useTypedPrinters(settings: Settings | null): TypedPrinters {
  const typed = useSignal<Omit<TypedPrinters, 'printers'> | null>(null)
  const printers = useSignal<readonly TypedPrinter[]>((settings?.printers ?? []).map(typedPrinter))
  typed.value ??= {
    atEntry: wantedOf(settings?.printing?.at_entry),
    atSale: wantedOf(settings?.printing?.at_sale),
  }
  return { printers, ...typed.value }
}

/** A printer as it is stored. */
const storedPrinter = (typed: TypedPrinter) => ({
  way: typed.way.value,
  address: typed.address.value.trim(),
  profile: typed.profile.value,
  documents: printerDuties.filter((one) => typed.duties[one].value),
  columns: Number(typed.columns.value) || profileNamed(typed.profile.value).columns,
  answers: typed.answers.value,
  drawer: typed.drawer.value,
})

/** What was typed as it is stored; a printer without an address is none. */
export const printersTyped = ({ printers, atEntry, atSale }: TypedPrinters) => ({
  printers: printers.value.filter(({ address }) => address.value.trim() !== '').map(storedPrinter),
  printing: {
    at_entry: guestDocuments.filter((one) => atEntry[one].value),
    at_sale: guestDocuments.filter((one) => atSale[one].value),
  },
})
