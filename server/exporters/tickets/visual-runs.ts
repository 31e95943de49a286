import bidiFactory from 'bidi-js/dist/bidi.mjs'

const bidi = bidiFactory()

/** A stretch of a line that is written in one direction, in the order in which it was typed. */
export interface VisualRun {
  readonly text: string
  readonly isRightToLeft: boolean
}

/** The direction in which a text begins. */
export const directionOfText = (text: string): 'ltr' | 'rtl' =>
  /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text)
    ? 'rtl'
    : 'ltr'

/** The stretches of a line from left to right, as they stand on paper (Unicode's bidirectional algorithm). */
export function visualRuns(line: string, base: 'ltr' | 'rtl'): VisualRun[] {
  const embedding = bidi.getEmbeddingLevels(line, base)
  const mirrored = bidi.getMirroredCharactersMap(line, embedding.levels)
  const letters = line.split('').map((letter, at) => mirrored.get(at) ?? letter)
  const runs: { from: number; to: number; isRightToLeft: boolean }[] = []
  for (const at of bidi.getReorderedIndices(line, embedding)) {
    const isRightToLeft = ((embedding.levels[at] ?? 0) & 1) === 1
    const run = runs.at(-1)
    if (run && run.isRightToLeft === isRightToLeft && at === (isRightToLeft ? run.from - 1 : run.to + 1)) {
      if (isRightToLeft) run.from = at
      else run.to = at
    } else runs.push({ from: at, to: at, isRightToLeft })
  }
  return runs.map(({ from, to, isRightToLeft }) => ({
    text: letters.slice(from, to + 1).join(''),
    isRightToLeft,
  }))
}
