import type { Explained, Reason } from './differences.ts'

const names: Readonly<Record<Reason, string>> = {
  contract: 'contract',
  reference: 'reference',
  newer: 'newer',
  deliberate: 'deliberate',
}

/** The rows of the table in `docs/compatibility.md`, as they have to stand there. */
export function tableOf(rows: readonly Explained[]): string {
  const lines = rows.map(({ id, reason, text }) => `| \`${id}\` | ${text} | ${names[reason]} |`)
  return ['| Name | What differs | Reason |', '| --- | --- | --- |', ...lines].join('\n')
}
