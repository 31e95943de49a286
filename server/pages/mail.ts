import { type Html, html } from './html.ts'

/** The text of a mail as HTML: its paragraphs and lines, and what looks like an address on the web as a link. */
export function mailPage(text: string, locale: string): string {
  const paragraphs = text.split(/\n{2,}/).map((one) => html`<p>${linesOf(one)}</p>\n`)
  return html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1a1a1a;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:600px;margin:0 auto">
${paragraphs}</div></body></html>
`.text
}

const linesOf = (paragraph: string): Html[] =>
  paragraph.split('\n').map((line, index) => html`${index > 0 && html`<br>\n`}${linksIn(line)}`)

/** The pieces of a line, every second one an address. */
const linksIn = (line: string): (Html | string)[] =>
  line
    .split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)])/)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : piece))
