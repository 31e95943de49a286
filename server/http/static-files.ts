import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { send } from '@koa/send'
import type { Middleware } from 'koa'
import { sendTo } from './visits.ts'

/** Where the built screens are. */
const folder = fileURLToPath(new URL('../../renderer/dist/', import.meta.url))

/** Where the screens of a station are asked for. */
const screens: ReadonlySet<string> = new Set(['/', '/open', '/index.html'])

/**
 * Serves the built screens; anything else that is asked for with GET is left to others. Where there is no station, people
 * who open the server's address are led to where they sign in.
 */
export const serveScreens =
  (isStation: boolean): Middleware =>
  async (ctx, next) => {
    if (ctx.path.startsWith('/api/') || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    const isScreen = screens.has(ctx.path)
    if (!isStation && isScreen) return sendTo(ctx, '/login')
    const path = isScreen ? '/index.html' : ctx.path
    if (isInside(path) && (await isFile(join(folder, decodeURIComponent(path))))) {
      await send(ctx, path, {
        root: folder,
        immutable: path.startsWith('/assets/'),
        maxAge: path.startsWith('/assets/') ? 31_536_000_000 : 0,
      })
      return
    }
    if (path === '/index.html') {
      ctx.status = 503
      ctx.type = 'html'
      ctx.body = await readFile(new URL('./not-built.html', import.meta.url), 'utf8')
      return
    }
    return next()
  }

function isInside(path: string): boolean {
  const target = relative(folder, join(folder, decodeURIComponent(path)))
  return target !== '' && !target.startsWith('..') && !isAbsolute(target)
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
