/** A piece of HTML whose text is escaped already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What can stand in a template: text is escaped, pieces of HTML stay, nothing is left out. */
export type Content = Html | string | number | null | undefined | false | readonly Content[]

const meaning: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it is written in HTML, between tags and in quoted attributes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => meaning[sign] ?? sign)

function written(content: Content): string {
  if (content instanceof Html) return content.text
  if (typeof content === 'string') return escaped(content)
  if (typeof content === 'number') return String(content)
  if (content === null || content === undefined || content === false) return ''
  return content.map(written).join('')
}

/** A template of HTML. Values may stand between tags and in quoted attributes, where they are escaped. */
export const html = (parts: TemplateStringsArray, ...values: readonly Content[]): Html =>
  new Html(parts.map((part, index) => part + (index < values.length ? written(values[index]) : '')).join(''))
