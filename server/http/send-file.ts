import type { FileHandle } from 'node:fs/promises'
import type { Context } from 'koa'

/** So many bytes are sent at once. */
const portion = 65_536

/**
 * Answers with a file whose length is said already, always through the same memory: made anew for each portion, it would
 * pile up while a large file is sent. Whoever hangs up is sent no more.
 */
export async function sendFile(ctx: Context, file: FileHandle): Promise<void> {
  const { res } = ctx
  const memory = Buffer.allocUnsafeSlow(portion)
  const gone = new Promise<void>((resolve) => res.once('close', resolve))
  ctx.respond = false
  ctx.status = 200
  for (;;) {
    const { bytesRead } = await file.read(memory, 0, portion, null)
    if (bytesRead === 0 || res.destroyed) break
    // Answered once it is with the system, so that the memory is free again.
    const written = new Promise<void>((resolve) => {
      res.write(memory.subarray(0, bytesRead), () => resolve())
    })
    await Promise.race([written, gone])
  }
  res.end()
}
