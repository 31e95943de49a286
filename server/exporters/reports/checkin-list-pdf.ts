import type { Exporter } from '../format/exporter.ts'
import { listParameters } from './checkin-list-rows.ts'

/** The same on paper, with boxes to tick. */
export const checkinListPdf: Exporter = {
  identifier: 'checkinlistpdf',
  name: 'Check-in list (PDF)',
  levels: ['event'],
  needs: null,
  parameters: listParameters,
  output: {
    kind: 'file',
    extension: 'pdf',
    type: 'application/pdf',
    load: async () => (await import('./checkin-list-file.ts')).checkinListFile,
  },
}
