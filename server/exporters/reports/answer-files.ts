import type { Exporter } from '../format/exporter.ts'

/** The files that were uploaded as answers, in an archive. */
export const answerFiles: Exporter = {
  identifier: 'answerfiles',
  name: 'Answers that are files',
  levels: ['event'],
  needs: null,
  parameters: [
    { name: 'questions', kind: 'rows', table: 'question' },
    { name: 'paid_only', kind: 'flag' },
  ],
  output: {
    kind: 'file',
    extension: 'zip',
    type: 'application/zip',
    load: async () => (await import('./answer-files-file.ts')).answerFilesFile,
  },
}
