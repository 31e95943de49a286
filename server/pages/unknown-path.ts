import { serverTranslator } from '../../schema/texts/server.ts'
import { html } from './html.ts'

/** What is shown at an address where there is nothing. It has no style: not every server has the style of the pages. */
export function unknownPathPage(language: string): string {
  const t = serverTranslator(language)
  const title = t('page.unknown-path')
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title} · ${t('page.product')}</title>
</head>
<body>
<h1>${title}</h1>
<p>${t('page.unknown-path-help')}</p>
</body>
</html>
`.text
}
