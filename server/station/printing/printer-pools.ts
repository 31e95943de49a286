import { guestDocuments } from '../../../schema/bodies/print-jobs.ts'
import { profileNamed } from '../../../schema/bodies/printer-profiles.ts'
import { type PrinterPlace, printersFor } from '../../services/devices/printer-places.ts'
import type { QueuedPrint } from '../../services/printing/print-jobs.ts'

/** Whether a printer takes tickets or badges as pictures. */
export const drawsPages = ({ profile, documents }: PrinterPlace): boolean =>
  profileNamed(profile).dialect !== 'pdf' && guestDocuments.some((one) => documents.includes(one))

/** The printers for a job, the first choice first; a test is for one. */
export function poolOf(
  printers: readonly PrinterPlace[],
  { document, printer }: QueuedPrint,
): readonly PrinterPlace[] {
  if (document !== 'test') return printersFor(printers, document)
  return printer === null ? printers : printers.filter(({ address }) => address === printer)
}
