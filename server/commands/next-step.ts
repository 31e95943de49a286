import type { Common } from './options.ts'

/** How the command line is called: from its sources by npm, where it is installed by its name. */
export const command = import.meta.url.endsWith('.ts') ? 'npx gatehouse' : 'gatehouse'

/** A word as a shell reads it whole. */
function quoted(text: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(text) && (process.platform === 'win32' || !text.includes('\\'))) return text
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`
}

/** The command line that goes on from a command, on the same data. */
export function describeNextStep({ data, database }: Common, words: string): string {
  // The address may hold a password, which is nobody's business.
  const at =
    database !== undefined ? ' --database ADDRESS' : data !== undefined ? ` --data ${quoted(data)}` : ''
  return `${command} ${words}${at}`
}
