import type { Step } from './trace.ts'

const sector = 512

/** A file whose latest writes may not have reached the disk. */
class File {
  #content: Buffer
  #size: number
  #pending: Step[] = []

  constructor(content: Buffer) {
    this.#content = content
    this.#size = content.length
  }

  note(step: Step): void {
    this.#pending.push(step)
  }

  sync(): void {
    for (const step of this.#pending) this.#carryOut(step)
    this.#pending = []
  }

  /** The file after a power cut: of what was not synced, each sector is there or is not. */
  afterCut(draw: () => number): Buffer {
    const copy = new File(Buffer.from(this.#content.subarray(0, this.#size)))
    // Some disks lose all that they were not asked to keep, others keep nearly all of it.
    const kept = [0, 0.5, 0.95][Math.floor(draw() * 3)] ?? 0
    for (const step of this.#pending)
      if (step.kind === 'cut' && draw() < kept) copy.#carryOut(step)
      else if (step.kind === 'write')
        for (let from = 0; from < step.bytes.length; from += sector)
          if (draw() < kept)
            copy.#carryOut({ ...step, at: step.at + from, bytes: step.bytes.subarray(from, from + sector) })
    return copy.#content.subarray(0, copy.#size)
  }

  #carryOut(step: Step): void {
    if (step.kind === 'cut') this.#size = step.size
    if (step.kind !== 'write') return
    const end = step.at + step.bytes.length
    if (end > this.#content.length) {
      const wider = Buffer.alloc(Math.max(end, this.#content.length * 2))
      this.#content.copy(wider, 0, 0, this.#size)
      this.#content = wider
    }
    if (step.at > this.#size) this.#content.fill(0, this.#size, step.at)
    step.bytes.copy(this.#content, step.at)
    this.#size = Math.max(this.#size, end)
  }
}

/** What is left on a disk when the power goes: the files, and what had been said to the outside before. */
export interface Image {
  readonly files: ReadonlyMap<string, Buffer>
  readonly acknowledged: readonly string[]
}

/**
 * The images that power cuts leave behind at the given places in a trace, which must ascend; what was synced before a
 * cut is there, of the rest each sector of 512 bytes may be.
 */
export function* imagesOf(
  steps: readonly Step[],
  before: ReadonlyMap<string, Buffer>,
  cuts: readonly number[],
  draw: () => number,
): Generator<Image> {
  const files = new Map([...before].map(([name, content]) => [name, new File(content)]))
  const acknowledged: string[] = []
  const due = [...cuts]
  for (const [index, step] of steps.entries()) {
    while (due[0] === index) {
      due.shift()
      yield {
        files: new Map([...files].map(([name, file]) => [name, file.afterCut(draw)])),
        acknowledged: [...acknowledged],
      }
    }
    if (step.kind === 'said') {
      acknowledged.push(...step.text.trim().split('\n'))
      continue
    }
    const file = files.get(step.file) ?? new File(Buffer.alloc(0))
    files.set(step.file, file)
    if (step.kind === 'sync') file.sync()
    else file.note(step)
  }
}
