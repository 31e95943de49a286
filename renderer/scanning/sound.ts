import { type ReadonlySignal, signal } from '@preact/signals'
import type { Tone } from './desk-state.ts'

/** The loudspeaker. */
interface Sound {
  readonly play: (tone: Tone) => void
  /** The browser keeps quiet until somebody has touched the screen or a key. */
  readonly blocked: ReadonlySignal<boolean>
}

/** One note: hertz, and seconds from the start and of length. */
interface Note {
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
const tones: Readonly<Record<Tone, readonly Note[]>> = {
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

const loudness = { sine: 0.5, triangle: 0.5, square: 0.16 } as const

/** Opens the loudspeaker; it is woken by the first touch or key, which browsers ask for. */
export function openSound(): Sound {
  const blocked = signal(false)
  const context = new AudioContext({ latencyHint: 'interactive' })
  const look = () => {
    blocked.value = context.state !== 'running'
  }
  const wake = () => {
    if (context.state !== 'running') context.resume().then(look, look)
  }
  context.onstatechange = look
  for (const event of ['pointerdown', 'keydown']) document.addEventListener(event, wake, { capture: true })
  wake()
  setTimeout(look, 500)
  const play = (tone: Tone) => {
    if (context.state !== 'running') return
    for (const { pitch, start, length, wave } of tones[tone]) {
      const from = context.currentTime + 0.01 + start
      const oscillator = new OscillatorNode(context, { frequency: pitch, type: wave })
      const gain = new GainNode(context, { gain: 0 })
      gain.gain.setValueAtTime(0, from)
      gain.gain.linearRampToValueAtTime(loudness[wave], from + 0.008)
      gain.gain.setValueAtTime(loudness[wave], from + length - 0.02)
      gain.gain.linearRampToValueAtTime(0, from + length)
      oscillator.connect(gain).connect(context.destination)
      oscillator.start(from)
      oscillator.stop(from + length)
    }
  }
  return { play, blocked }
}
