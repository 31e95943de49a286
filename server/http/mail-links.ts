import type { Context } from 'koa'

/**
 * The address that links in mails begin with: the one that was configured. Without one it is where the connection of the
 * request ends, where the request has gone there by that address; null where it came by a name, which anybody can make
 * up: a mail must not lead to wherever a stranger's request says this server is.
 */
export function mailLinkBase(ctx: Context, publicUrl: string | undefined): string | null {
  if (publicUrl !== undefined) return publicUrl
  const { localAddress = '', localPort } = ctx.req.socket
  const own = localAddress.replace(/^::ffff:/, '')
  const asked = ctx.hostname.replace(/^\[|\]$/g, '')
  if (asked !== 'localhost' && asked !== own) return null
  const host = asked === 'localhost' ? asked : own.includes(':') ? `[${own}]` : own
  return `${ctx.protocol}://${host}:${localPort}`
}
