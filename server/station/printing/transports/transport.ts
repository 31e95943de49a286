import type { Bitmap } from '../../../domain/printers/bitmap.ts'
import type { Env } from '../../../env.ts'
import type { PrinterPlace } from '../../../services/devices/printer-places.ts'
import type { PrintReason } from '../../../services/printing/print-jobs.ts'

/** What keeps a printer from printing before anything is sent. */
export type PrinterTrouble = Extract<
  PrintReason,
  'unreachable' | 'silent' | 'paper' | 'open' | 'offline' | 'stopped' | 'certificate' | 'unfit'
>

/** How sending something to a printer has ended. */
export type PrintEnding =
  /** Not a byte of the document was sent. */
  | { readonly kind: 'unsent'; readonly reason: PrinterTrouble }
  /** It is not wanted any more, or not yet. */
  | { readonly kind: 'withdrawn' }
  /** It has taken everything, and says nothing. */
  | { readonly kind: 'sent' }
  | { readonly kind: 'printed' }
  | { readonly kind: 'unknown'; readonly reason: PrinterTrouble | 'broken-off' }

/** What is printed, as a printer wants it, and what is stored before the printer does it. */
export interface Printout {
  /** A name for files and queues: letters, digits, `-` and `_`. */
  readonly name: string
  /** Begins to make the commands while the printer says how it is, unless something has kept them from being printed. */
  prepare(): void
  /** In the language of the printer. These are asked for once the drawer is open and the printer is ready. */
  commands(): Promise<Uint8Array>
  pdf(): Promise<Uint8Array>
  /** Page by page, in the dots of the printer. */
  pictures(): Promise<readonly Bitmap[]>
  /** Notes that the drawer is told to open; false where it was before, or is not to. */
  pulse(): Promise<boolean>
  /** Notes that the first byte is about to go; false where it is not to. */
  begin(): Promise<boolean>
}

/** The result of a program that was run. */
export interface ProgramEnding {
  /** Null where it could not be started, or was ended. */
  readonly code: number | null
  readonly output: string
}

/** Runs a program with something to read, for at most so many milliseconds. */
export type RunProgram = (
  command: string,
  args: readonly string[],
  given: { readonly input: Uint8Array; readonly within: number },
) => Promise<ProgramEnding>

/** What ways to printers are made of. */
export interface PrinterWorld {
  readonly env: Env
  readonly run: RunProgram
  /** Has the station's window print pages. */
  readonly window: WindowPrinting
}

/** Pages that the station's window is to print. */
export interface WindowPages {
  readonly printer: string
  readonly dpi: number
  readonly pages: readonly Bitmap[]
}

/** Printing by the station's window, which knows the printers of its machine. */
export interface WindowPrinting {
  readonly isThere: boolean
  /** `begin` is called once a window has said that it prints; see Printout. */
  print(job: string, pages: WindowPages, begin: () => Promise<boolean>): Promise<PrintEnding>
}

/** A way to printers. */
export interface Transport {
  /** What keeps a printer from printing; null for nothing, as far as it says. */
  look(world: PrinterWorld, place: PrinterPlace): Promise<PrinterTrouble | null>
  print(world: PrinterWorld, place: PrinterPlace, printout: Printout): Promise<PrintEnding>
}
