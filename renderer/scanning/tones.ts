import type { Tone } from './desk-state.ts'

/** One note: hertz, and seconds from the start and of length. */
export interface Note {
  readonly pitch: number
  readonly start: number
  readonly length: number
  readonly wave: 'sine' | 'square' | 'triangle'
}

const note = (pitch: number, start: number, length: number, wave: Note['wave'] = 'triangle'): Note => ({
  pitch,
  start,
  length,
  wave,
})

/**
 * What each sound is made of. They differ in rhythm and direction as well as in pitch, so that they are told
 * apart on a poor loudspeaker and in noise: two quick notes up, three even ones, a long low buzz twice,
 * a fourth up and held, and a siren of two seconds.
 */
export const tones: Readonly<Record<Tone, readonly Note[]>> = {
  ok: [note(880, 0, 0.09), note(1319, 0.09, 0.16)],
  attention: [note(988, 0, 0.1), note(988, 0.17, 0.1), note(988, 0.34, 0.1)],
  refused: [note(165, 0, 0.24, 'square'), note(131, 0.3, 0.42, 'square')],
  question: [note(587, 0, 0.14), note(784, 0.18, 0.32)],
  kept: [note(440, 0, 0.07, 'sine')],
  undone: [note(784, 0, 0.1), note(523, 0.11, 0.2)],
  // Two waves at once are louder than any result.
  alert: [0, 0.5, 1, 1.5].flatMap((start) =>
    (['square', 'triangle'] as const).flatMap((wave) => [
      note(1047, start, 0.22, wave),
      note(698, start + 0.25, 0.22, wave),
    ]),
  ),
}
