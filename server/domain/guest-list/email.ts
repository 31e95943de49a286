const address = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(?:\.[^\s@<>()[\],;:"\\.]+)+$/u
const longestAddress = 254

/** Whether a text is one e-mail address, as far as its form tells. */
export function isEmail(text: string): boolean {
  return text.length <= longestAddress && address.test(text) && !/^\.|\.\.|\.@/.test(text)
}

const nothing = [
  '-',
  '--',
  '–',
  '—',
  '?',
  '.',
  'n/a',
  'na',
  'n.a.',
  'none',
  'null',
  'nil',
  'keine',
  'k.a.',
  'ohne',
  'aucun',
]

/**
 * The e-mail address in a cell, null when the cell says that there is none ("-", "n/a"), undefined when it holds
 * something else. `mailto:` and "Name <address>" are understood.
 */
export function readEmail(cell: string): string | null | undefined {
  if (cell === '' || nothing.includes(cell.toLowerCase())) return null
  const bare = /<([^<>]+)>$/.exec(cell)?.[1] ?? cell.replace(/^mailto:/i, '')
  return isEmail(bare.trim()) ? bare.trim() : undefined
}
