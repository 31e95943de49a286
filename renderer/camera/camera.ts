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

/** Reads codes from a video element's picture, and keeps the browser's camera until it is stopped. */
export function openCamera(video: HTMLVideoElement, scanned: (sighting: Sighting) => void): Camera {
  const state = signal<CameraState>({ name: 'starting' })
  const reader = readFrames(video, { scanned, failed: () => fail('decoder') })
  let stream: MediaStream | null = null
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
      if (mine === generation) reader.start()
    } catch (error) {
      if (mine !== generation) return
      const name = error instanceof Error ? error.name : ''
      if (name === 'OverconstrainedError' && forgetCamera()) return start()
      fail(problemNamed(name))
    }
  }

  async function describe(torch = false): Promise<void> {
    const track = stream?.getVideoTracks()[0]
    if (!track) return
    track.onended = () => fail('ended')
    const able = track.getCapabilities?.() as { torch?: boolean } | undefined
    const cameras = (await videoInputs()).length
    state.value = { name: 'running', label: track.label, torch: able?.torch ? torch : null, cameras }
  }

  function fail(problem: CameraProblem): void {
    stop()
    state.value = { name: 'failed', problem }
  }

  function stop(): void {
    generation++
    reader.stop()
    if (stream) release(stream)
    stream = null
    video.srcObject = null
  }

  async function switchCamera(): Promise<void> {
    await rememberNext(stream)
    await start()
  }

  async function setTorch(on: boolean): Promise<void> {
    await switchTorch(stream, on)
    await describe(on)
  }

  return { state, start, stop, switchCamera, setTorch }
}

interface FrameEvents {
  readonly scanned: (sighting: Sighting) => void
  /** The decoder does not work in this browser. */
  readonly failed: () => void
}

/** Decodes the picture while it is started: one frame at a time is with the decoder, so that it never lags. */
function readFrames(video: HTMLVideoElement, { scanned, failed }: FrameEvents) {
  let decoder: Worker | null = null
  let sightings = nothingSeen

  function start(): void {
    const worker = new Worker(new URL('./decoder.ts', import.meta.url), { type: 'module' })
    decoder = worker
    const show = async () => {
      if (worker !== decoder) return
      try {
        const bitmap = await createImageBitmap(video)
        const frame: Frame = { bitmap, close: lookCloser(sightings) }
        worker.postMessage(frame, [bitmap])
      } catch {
        again()
      }
    }
    const again = () => video.requestVideoFrameCallback(() => void show())
    worker.onerror = failed
    worker.onmessage = ({ data }: MessageEvent<Seen>) => {
      if (worker !== decoder) return
      if (data.type === 'broken') return failed()
      if (data.type === 'frame') take(data.text, data.symbology)
      again()
    }
  }

  function take(text: string | null, symbology: string): void {
    const seen = look(sightings, text === null ? null : { text, symbology }, performance.now())
    sightings = seen.sightings
    if (seen.scan) scanned(seen.scan)
  }

  function stop(): void {
    decoder?.terminate()
    decoder = null
  }

  return { start, stop }
}

function wanted(): MediaTrackConstraints {
  const id = localStorage.getItem(remembered)
  const size = { width: { ideal: 1280 }, height: { ideal: 720 } }
  return id ? { ...size, deviceId: { exact: id } } : { ...size, facingMode: 'environment' }
}

/** Forgets the camera that was chosen; false when there was none. */
function forgetCamera(): boolean {
  const isChosen = Boolean(localStorage.getItem(remembered))
  localStorage.removeItem(remembered)
  return isChosen
}

async function rememberNext(stream: MediaStream | null): Promise<void> {
  const inputs = await videoInputs()
  const current = stream?.getVideoTracks()[0]?.getSettings().deviceId
  const index = inputs.findIndex((input) => input.deviceId === current)
  const following = inputs[(index + 1) % inputs.length]
  if (following) localStorage.setItem(remembered, following.deviceId)
}

async function switchTorch(stream: MediaStream | null, on: boolean): Promise<void> {
  const constraint = { advanced: [{ torch: on }] } as unknown as MediaTrackConstraints
  await stream
    ?.getVideoTracks()[0]
    ?.applyConstraints(constraint)
    .catch(() => undefined)
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

async function videoInputs(): Promise<readonly MediaDeviceInfo[]> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices.filter((device) => device.kind === 'videoinput')
}
