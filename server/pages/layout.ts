import type { TranslateServer } from '../../schema/texts/server.ts'
import { writingDirection } from '../../schema/texts/translate.ts'
import { type Content, type Html, html } from './html.ts'

/** What every page needs to know of its reader. */
export interface Reader {
  readonly language: string
  readonly t: TranslateServer
  /** What a form must say so that it is known to come from a page of ours. */
  readonly csrf: string
  /** Who is logged in, or null. */
  readonly email: string | null
}

/** Where the style of the pages is. */
export const stylePath = '/account/style.css'

/** What is around the content of a page. */
interface Frame {
  readonly language: string
  readonly title: Content
  /** Where its style is. */
  readonly style: string
  /** The words of the link that leads past the header. */
  readonly skip: string
  readonly header: Content
}

/** A whole document in HTML, with a heading above its content. */
export const frame = (
  { language, title, style, skip, header }: Frame,
  heading: string,
  content: Content,
): string =>
  html`<!doctype html>
<html lang="${language}" dir="${writingDirection(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<a class="skip" href="#content">${skip}</a>
<header>${header}</header>
<main id="content">
<h1>${heading}</h1>
${content}
</main>
</body>
</html>
`.text

/** A page with its frame: navigation for those who are logged in, and the heading that is also its title. */
export function page(reader: Reader, title: string, content: Content): string {
  const { t, language, email } = reader
  return frame(
    {
      language,
      title: html`${title} · ${t('page.product')}`,
      style: stylePath,
      skip: t('page.skip'),
      header: html`
<span class="product">${t('page.product')}</span>
${email !== null && navigation(reader)}
`,
    },
    title,
    content,
  )
}

/** Says which organizers ask for a second factor, and leads to where it is set up. */
export const factorNotice = ({ t }: Reader, names: readonly string[]): Html =>
  html`<p class="notice bad" role="alert">${t('page.factor-required', { names: names.join(', ') })} <a href="/account/second-factor">${t('page.turn-on')}</a></p>`

const navigation = (reader: Reader): Html => html`<nav aria-label="${reader.t('page.navigation')}">
<a href="/account/">${reader.t('page.account')}</a>
<a href="/account/applications/">${reader.t('page.applications')}</a>
${form(reader, '/logout', html`<button class="plain">${reader.t('page.log-out')}</button>`)}
</nav>`

/** A form that changes something, with what shows that it comes from a page of ours. */
export const form = ({ csrf }: Reader, action: string, content: Content): Html =>
  html`<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${csrf}">
${content}
</form>`

/** What a field of a form looks like. */
interface FieldLook {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly value?: string
  readonly autocomplete?: string
  readonly hint?: string
  readonly problem?: string
  readonly isRequired?: boolean
  readonly isCode?: boolean
  readonly isFirst?: boolean
  readonly id?: string
}

/** A labelled field; its hint and what is wrong with it are read out with it. */
export function field(look: FieldLook): Html {
  const { name, label, type = 'text', value = '', autocomplete, hint, problem, id = name } = look
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return html`<p class="field">
<label for="${id}">${label}</label>
${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}
${problem && html`<strong class="problem" id="${id}-problem">${problem}</strong>`}
<input id="${id}" name="${name}" type="${type}" value="${value}"${autocomplete && html` autocomplete="${autocomplete}"`}${described !== '' && html` aria-describedby="${described}"`}${problem && html` aria-invalid="true"`}${look.isRequired !== false && html` required`}${look.isCode && html` inputmode="text" autocapitalize="none" spellcheck="false"`}${look.isFirst && html` autofocus`}>
</p>`
}

/** Something that must be noticed: that it worked, or that it did not. */
export const notice = (kind: 'good' | 'bad', text: string): Html =>
  html`<p class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</p>`

/** A page that says what went wrong, and leads back. */
export const errorPage = (reader: Reader, text: string, link?: { href: string; label: string }): string =>
  page(
    reader,
    reader.t('page.error-title'),
    html`${notice('bad', text)}${link && html`<p><a href="${link.href}">${link.label}</a></p>`}`,
  )
