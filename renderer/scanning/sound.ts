import { type ReadonlySignal, signal } from '@preact/signals'
import type { Tone } from './desk-state.ts'
import { tones } from './tones.ts'

/** The loudspeaker. */
export interface Sound {
  readonly play: (tone: Tone) => void
  /** The browser keeps quiet until somebody has touched the screen or a key. */
  readonly blocked: ReadonlySignal<boolean>
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
