import type { Context, Middleware } from 'koa'
import { serverTranslator } from '../../schema/texts/server.ts'
import { isLanguage, languages } from '../../schema/texts/translate.ts'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import { errorPage, type Reader } from '../pages/layout.ts'
import type { BodyReader } from '../resource/api.ts'
import type { Transactions } from '../resource/transactions.ts'
import {
  findSession,
  isNoteDue,
  newSessionToken,
  noteUse,
  type Session,
  sessionLimits,
} from '../services/accounts/sessions.ts'
import { formSecret, isOwnForm, readForm } from './forms.ts'

/** What the pages for users are made of. */
export interface PageParts {
  readonly transactions: Transactions
  readonly bodies: BodyReader
  readonly now: () => string
  readonly randomBytes: (count: number) => Uint8Array
  readonly log: Log
  readonly publicUrl?: string
}

/** Somebody who looks at a page or sends a form. */
export interface Visit {
  readonly reader: Reader
  /** Their login, or null. */
  readonly session: Session | null
  /** A login that waits for the second factor. */
  readonly halfway: Session | null
  /** What was sent; empty where a page is only looked at. */
  readonly form: URLSearchParams
}

/** Somebody who is logged in. */
export interface OwnVisit extends Visit {
  readonly session: Session
}

type Show<V extends Visit> = (ctx: Context, visit: V, parts: PageParts) => Promise<void> | void

const policy = (formTargets: readonly string[]): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ')

/** Lets the forms of a page end at other places, by a redirect: browsers hold those against the policy as well. */
export const allowFormTargets = (ctx: Context, targets: readonly string[]): void =>
  ctx.set('Content-Security-Policy', policy(targets))

/** Lets a page run the scripts of this server. */
export const allowOwnScripts = (ctx: Context): void =>
  ctx.set('Content-Security-Policy', `${policy([])}; script-src 'self'`)

const isSecure = (ctx: Context, { publicUrl }: PageParts): boolean =>
  publicUrl === undefined ? ctx.secure : publicUrl.startsWith('https:')

/** The name of the cookie. With https its prefix keeps other hosts of the domain from setting it. */
const cookieName = (ctx: Context, parts: PageParts): string =>
  isSecure(ctx, parts) ? '__Host-gatehouse' : 'gatehouse_session'

/** Gives the browser a cookie that pages cannot read and that other sites cannot send with forms. */
export function giveCookie(ctx: Context, parts: PageParts, token: string): void {
  const secure = isSecure(ctx, parts) ? '; Secure' : ''
  ctx.append(
    'Set-Cookie',
    `${cookieName(ctx, parts)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${sessionLimits.absolute}${secure}`,
  )
}

const linkCookieName = (ctx: Context, parts: PageParts): string =>
  isSecure(ctx, parts) ? '__Host-gatehouse-link' : 'gatehouse_link'

/** How long a browser keeps the secret of a link while its user logs in, in seconds. */
const linkLifetime = 600

/** Has the browser keep the secret of a link that was opened; see `openedLink`. */
export function rememberLink(ctx: Context, parts: PageParts, token: string): void {
  const secure = isSecure(ctx, parts) ? '; Secure' : ''
  ctx.append(
    'Set-Cookie',
    `${linkCookieName(ctx, parts)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${linkLifetime}${secure}`,
  )
}

/** The secret of the link that this browser has opened last, or an empty text. */
export const openedLink = (ctx: Context, parts: PageParts): string =>
  ctx.cookies.get(linkCookieName(ctx, parts)) ?? ''

/** The secret that was sent by the page that opens links, or put into its field with the whole link. */
export const tokenOfLink = (form: URLSearchParams): string =>
  /[a-z0-9]{64}/.exec(form.get('token') ?? '')?.[0] ?? ''

/** Sends the browser on to a page that is asked for with GET. */
export function sendTo(ctx: Context, address: string): void {
  ctx.status = 303
  ctx.set('Location', address)
  ctx.body = null
  // An empty body turns the status into 204.
  ctx.status = 303
}

function readerOf(ctx: Context, session: Session | null, csrf: string): Reader {
  const asked = session?.user.locale.split('-')[0] ?? ''
  const language = isLanguage(asked) ? asked : ctx.acceptsLanguages(Object.keys(languages)) || 'en'
  return { language, t: serverTranslator(language), csrf, email: session?.user.email ?? null }
}

/** The live session of a request's cookie, and the cookie. A browser that has none is given a fresh one for its forms. */
async function lookUp(ctx: Context, parts: PageParts) {
  const { transactions, now } = parts
  const cookie = ctx.cookies.get(cookieName(ctx, parts)) ?? ''
  const session = cookie === '' ? null : await findSession(transactions.database, cookie, now())
  if (session && isNoteDue(session, now())) await transactions.write((tx) => noteUse(tx, session.id))
  if (cookie !== '' || ctx.method === 'POST') return { cookie, session }
  const fresh = newSessionToken(parts.randomBytes)
  giveCookie(ctx, parts, fresh)
  return { cookie: fresh, session }
}

/** Serves a page to anybody. Forms must come from a page of ours; what is refused is answered with a page. */
export const visited =
  (parts: PageParts, show: Show<Visit>): Middleware =>
  async (ctx) => {
    ctx.set('Content-Security-Policy', policy([]))
    ctx.set('Cache-Control', 'no-store')
    ctx.set('X-Frame-Options', 'DENY')
    // Links in mails hold a secret, which no Referer repeats; without the origin, browsers would not say whose a form is.
    ctx.set('Referrer-Policy', 'strict-origin')
    ctx.type = 'html'
    const { cookie, session } = await lookUp(ctx, parts)
    const full = session?.stage === 'full' ? session : null
    const reader = readerOf(ctx, full, formSecret(cookie))
    try {
      const form = ctx.method === 'POST' ? await readForm(ctx, parts.bodies) : new URLSearchParams()
      if (ctx.method === 'POST' && !isOwnForm(ctx, form, cookie, parts.publicUrl)) {
        ctx.status = 403
        ctx.body = errorPage(reader, reader.t('page.stale-form'))
        return
      }
      const halfway = session?.stage === 'password' ? session : null
      await show(ctx, { reader, session: full, halfway, form }, parts)
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      ctx.status = cause.status
      ctx.set(cause.headers)
      const { status } = cause
      const key = status === 404 ? 'page.not-found' : status === 429 ? 'page.too-busy' : 'page.failed'
      ctx.body = errorPage(reader, reader.t(key))
    }
  }

/** Serves a page to those who are logged in; others are asked to log in first. */
export const owned = (parts: PageParts, show: Show<OwnVisit>): Middleware =>
  visited(parts, async (ctx, visit) => {
    const { session } = visit
    if (session) return show(ctx, { ...visit, session }, parts)
    // A form is lost, but the question that a program asks can be asked again.
    const isAskedAgain = ctx.method === 'GET' || ctx.path === '/api/v1/oauth/authorize'
    const next = isAskedAgain ? `?next=${encodeURIComponent(ctx.url)}` : ''
    sendTo(ctx, `/login${next}`)
  })

/** Where users may be sent on to after the login: pages of ours that are meant for it, and nothing else. */
export function safeNext(text: string | null | undefined): string {
  if (!text || !/^\/(account\/|invitation[/?]|api\/v1\/oauth\/authorize\?)/.test(text)) return ''
  const address = URL.parse(text, 'http://gatehouse.invalid')
  if (address?.host !== 'gatehouse.invalid') return ''
  if (address.pathname.includes('//')) return ''
  const whole = address.pathname + address.search
  return /^\/(account\/|invitation(\/join)?$|api\/v1\/oauth\/authorize$)/.test(address.pathname) ? whole : ''
}
