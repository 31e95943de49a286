import { type ReadonlySignal, signal } from '@preact/signals'
import type { Sighting } from '../scanning/intake.ts'
import type { Frame, Seen } from './decoder.ts'
import { type CameraProblem, problemNamed } from './problems.ts'
import { look, lookCloser, nothingSeen } from './sightings.ts'

/** What the camera is doing. */
export type CameraState =
  | { readonly name: 'starting' }
  | {
      readonly name: 'running'
      readonly label: string
      readonly torch: boolean | null
      readonly cameras: number
    }
  | { readonly name: 'failed'; readonly problem: CameraProblem }

/** A running camera. */
export interface Camera {
  readonly state: ReadonlySignal<CameraState>
  readonly start: () => Promise<void>
  readonly stop: () => void
  /** Goes on to the next camera of this device, and remembers it. */
  readonly switchCamera: () => Promise<void>
  readonly setTorch: (on: boolean) => Promise<void>
}

const remembered = 'gatehouse.camera'

/** Reads codes from a video element's picture: one frame at a time is with the decoder, so that it never lags. */
export function openCamera(video: HTMLVideoElement, scanned: (sighting: Sighting) => void): Camera {
  const state = signal<CameraState>({ name: 'starting' })
  let stream: MediaStream | null = null
  let decoder: Worker | null = null
  let sightings = nothingSeen
  let generation = 0

  async function start(): Promise<void> {
    stop()
    const mine = ++generation
    state.value = { name: 'starting' }
    if (!navigator.mediaDevices) return fail('insecure')
    try {
      const opened = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted() })
      if (mine !== generation) return release(opened)
      stream = opened
      video.srcObject = opened
      await video.play()
      await describe()
      if (mine === generation) decode(mine)
    } catch (error) {
      if (mine !== generation) return
      const name = error instanceof Error ? error.name : ''
      if (name === 'OverconstrainedError' && localStorage.getItem(remembered)) {
        localStorage.removeItem(remembered)
        return start()
      }
      fail(problemNamed(name))
    }
  }

  function wanted(): MediaTrackConstraints {
    const id = localStorage.getItem(remembered)
    const size = { width: { ideal: 1280 }, height: { ideal: 720 } }
    return id ? { ...size, deviceId: { exact: id } } : { ...size, facingMode: 'environment' }
  }

  async function describe(torch = false): Promise<void> {
    const track = stream?.getVideoTracks()[0]
    if (!track) return
    track.onended = () => fail('ended')
    const able = track.getCapabilities?.() as { torch?: boolean } | undefined
    const cameras = (await videoInputs()).length
    state.value = { name: 'running', label: track.label, torch: able?.torch ? torch : null, cameras }
  }

  function decode(mine: number): void {
    const worker = new Worker(new URL('./decoder.ts', import.meta.url), { type: 'module' })
    decoder = worker
    const show = async () => {
      if (mine !== generation) return
      try {
        const bitmap = await createImageBitmap(video)
        const frame: Frame = { bitmap, close: lookCloser(sightings) }
        worker.postMessage(frame, [bitmap])
      } catch {
        again()
      }
    }
    const again = () => video.requestVideoFrameCallback(() => void show())
    worker.onerror = () => fail('decoder')
    worker.onmessage = ({ data }: MessageEvent<Seen>) => {
      if (mine !== generation) return
      if (data.type === 'broken') return fail('decoder')
      if (data.type === 'frame') take(data.text, data.symbology)
      again()
    }
  }

  function take(text: string | null, symbology: string): void {
    const seen = look(sightings, text === null ? null : { text, symbology }, performance.now())
    sightings = seen.sightings
    if (seen.scan) scanned(seen.scan)
  }

  function fail(problem: CameraProblem): void {
    stop()
    state.value = { name: 'failed', problem }
  }

  function stop(): void {
    generation++
    decoder?.terminate()
    decoder = null
    if (stream) release(stream)
    stream = null
    video.srcObject = null
  }

  async function switchCamera(): Promise<void> {
    const inputs = await videoInputs()
    const current = stream?.getVideoTracks()[0]?.getSettings().deviceId
    const index = inputs.findIndex((input) => input.deviceId === current)
    const following = inputs[(index + 1) % inputs.length]
    if (following) localStorage.setItem(remembered, following.deviceId)
    await start()
  }

  async function setTorch(on: boolean): Promise<void> {
    const constraint = { advanced: [{ torch: on }] } as unknown as MediaTrackConstraints
    await stream
      ?.getVideoTracks()[0]
      ?.applyConstraints(constraint)
      .catch(() => undefined)
    await describe(on)
  }

  return { state, start, stop, switchCamera, setTorch }
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

async function videoInputs(): Promise<readonly MediaDeviceInfo[]> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices.filter((device) => device.kind === 'videoinput')
}
