import type { Exporter } from '../format/exporter.ts'
import { attendeeParameters } from '../reports/attendees.ts'

/** A badge for everybody who is expected, or who has come in through a list, one to a page of A6. */
export const badges: Exporter = {
  identifier: 'badges',
  name: 'Badges',
  levels: ['event'],
  needs: null,
  parameters: [...attendeeParameters, { name: 'list', kind: 'row', table: 'checkin_list' }],
  output: {
    kind: 'file',
    extension: 'pdf',
    type: 'application/pdf',
    load: async () => (await import('./badge-file.ts')).badgeFile,
  },
}
