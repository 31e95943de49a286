const mark = 'Reference: '

/** An order's comment that ends with the reference it has elsewhere; either may be missing. */
export const commentWithReference = (comment: string | null, reference: string | null): string =>
  [comment, reference === null ? null : mark + reference].filter(Boolean).join('\n')

/** The references that a comment names, each on a line of its own; null when it names none. */
export function referencesIn(comment: string): string | null {
  const lines = comment.split('\n').filter((line) => line.startsWith(mark))
  return (
    lines
      .map((line) => line.slice(mark.length).trim())
      .filter(Boolean)
      .join('\n') || null
  )
}

/** What a comment says beside its references. */
export const withoutReferences = (comment: string): string =>
  comment
    .split('\n')
    .filter((line) => !line.startsWith(mark))
    .join('\n')

/** The lines of a comment that name references, as they stand there. */
export const onlyReferences = (comment: string): string =>
  comment
    .split('\n')
    .filter((line) => line.startsWith(mark))
    .join('\n')
