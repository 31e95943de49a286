import type { Exporter } from '../format/exporter.ts'

/** Everything about an event. */
export const eventJson: Exporter = {
  identifier: 'json',
  name: 'Everything as JSON',
  levels: ['event'],
  needs: null,
  parameters: [],
  output: {
    kind: 'file',
    extension: 'json',
    type: 'application/json',
    load: async () => (await import('./event-json-file.ts')).eventJsonFile,
  },
}
