import { constants, type FileHandle, open } from 'node:fs/promises'
import { isPrinterAddress } from '../../../domain/printers/printer-address.ts'
import type { ConnectionEvents, Env, TcpConnection } from '../../../env.ts'
import { lineTransport } from './line-transport.ts'

/** Milliseconds after which a device is read again, or given again what it did not take. */
const again = 20

const isLater = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'EAGAIN'

/** Opens a device to be read and written, or only to be written where it answers nothing; neither waits for it. */
async function openDevice(path: string): Promise<FileHandle> {
  const opened = await open(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY).catch(() =>
    open(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY),
  )
  if ((await opened.stat()).isCharacterDevice()) return opened
  await opened.close()
  throw new Error('This is no device that takes characters.')
}

/** A device as a connection: bytes go both ways, and it ends where it is unplugged. */
function connectDevice(env: Env, path: string, events: ConnectionEvents): TcpConnection {
  const waiting: Uint8Array[] = []
  let device: FileHandle | null = null
  let isEnding = false
  let isOver = false
  let isWriting = false
  const finish = (isBroken: boolean): void => {
    if (isOver) return
    isOver = true
    void device?.close().catch(() => undefined)
    events.closed(isBroken)
  }
  const write = async (): Promise<void> => {
    if (isWriting || !device) return
    isWriting = true
    for (let piece = waiting.shift(); piece && !isOver; piece = waiting.shift()) {
      const taken = await device.write(piece).then(
        ({ bytesWritten }) => bytesWritten,
        (cause: unknown) => (isLater(cause) ? 0 : null),
      )
      if (taken === null) return finish(true)
      if (taken < piece.length) {
        waiting.unshift(piece.subarray(taken))
        await new Promise<void>((resolve) => env.after(again, resolve))
      }
    }
    isWriting = false
    if (isEnding) finish(false)
  }
  const buffer = new Uint8Array(1024)
  const read = async (): Promise<void> => {
    while (!isOver && device) {
      const count = await device.read(buffer, 0, buffer.length).then(
        ({ bytesRead }) => bytesRead,
        (cause: unknown) => (isLater(cause) ? 0 : null),
      )
      // One that cannot be read says nothing; whether it is there shows when it is written to.
      if (count === null) return
      if (count > 0) events.received(buffer.slice(0, count))
      else await new Promise<void>((resolve) => env.after(again, resolve))
    }
  }
  openDevice(path).then(
    (opened) => {
      device = opened
      if (isOver) return void opened.close()
      events.opened()
      void read()
      void write()
    },
    () => finish(true),
  )
  return {
    write(bytes) {
      waiting.push(bytes)
      void write()
    },
    end() {
      isEnding = true
      if (waiting.length === 0 && !isWriting) finish(false)
    },
    close: () => finish(true),
  }
}

/** Printers at a cable, such as /dev/usb/lp0. */
export const deviceTransport = lineTransport((env, { address }) =>
  isPrinterAddress.device(address) ? (events) => connectDevice(env, address, events) : null,
)
