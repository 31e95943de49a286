import type { printerDuties } from '../../../schema/bodies/print-jobs.ts'
import {
  type PrinterProfileName,
  type PrinterWay,
  profileNamed,
} from '../../../schema/bodies/printer-profiles.ts'
import { addressOfMachine, machineAt } from '../../domain/printers/printer-address.ts'

/** What a printer may be for. */
export type PrinterDuty = (typeof printerDuties)[number]

/** Where a printer is, what it is like, and what it is for. */
export interface PrinterPlace {
  readonly way: PrinterWay
  readonly address: string
  readonly profile: PrinterProfileName
  readonly documents: readonly PrinterDuty[]
  /** How many letters a line of its paper has. */
  readonly columns: number
  /** Whether it says how it is when it is asked. */
  readonly answers: boolean
  /** Whether the drawer hangs at it. */
  readonly drawer: boolean
}

/** A printer as somebody wrote it down: earlier versions knew receipt printers in the network alone. */
export type WrittenPrinter = Partial<PrinterPlace> & { readonly host?: string; readonly port?: number }

const usualProfile: Readonly<Record<PrinterWay, PrinterProfileName>> = {
  ...{ tcp: 'escpos-80', device: 'escpos-80', windows: 'escpos-80' },
  ...{ ipp: 'pdf', window: 'pdf', folder: 'pdf' },
}

/** What printers were for before they could be chosen for each kind of document. */
const formerDocuments: readonly PrinterDuty[] = ['receipt', 'closing']

/** The same with everything that was left out. */
export function printerPlace(written: WrittenPrinter): PrinterPlace {
  const { way = 'tcp', host = '', port } = written
  const address = placeOf(way, written.address ?? addressOfMachine(host, port))
  const { profile = usualProfile[way], documents = formerDocuments } = written
  const { columns, status, drawerPin } = profileNamed(profile)
  return {
    ...{ way, address, profile, documents, columns: written.columns ?? columns },
    answers: written.answers ?? (way === 'ipp' || status !== 'none'),
    drawer: (written.drawer ?? true) && drawerPin !== null && documents.includes('receipt'),
  }
}

/** One printer has one address, however it was typed. */
function placeOf(way: PrinterWay, typed: string): string {
  const machine = way === 'tcp' ? machineAt(typed.trim()) : null
  return machine ? addressOfMachine(machine.host, machine.port) : typed.trim()
}

/** The printers that print a kind of document, the first choice first. */
export const printersFor = (
  printers: readonly PrinterPlace[],
  document: PrinterDuty,
): readonly PrinterPlace[] => printers.filter(({ documents }) => documents.includes(document))

/** What a printer is known by: two entries with the same are the same machine. */
export const printerKey = ({ way, address }: PrinterPlace): string => `${way} ${address}`
