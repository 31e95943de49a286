import { serverTranslator, type TranslateServer } from '../../../schema/texts/server.ts'
import { writtenLanguage } from '../../domain/text/multilingual.ts'
import { hundredths } from '../../resource/codec.ts'
import { inWords } from '../../services/orders/ticket-print.ts'
import { type Coverage, printable } from '../tickets/ticket-sheet-text.ts'

/** Something that a till prints on roll paper: a document of receiptline, and how many letters fit into its lines. */
export interface Slip {
  readonly title: string
  readonly locale: string
  readonly columns: number
  /** When it was written, which is the same however often it is printed. */
  readonly written: string
  readonly lines: readonly string[]
}

/** Where a slip is read. */
export interface SlipPlace {
  readonly timezone: string
  readonly locale: string
  /** How many letters a line of the paper has. */
  readonly columns: number
}

const special = /[\\|{}~_"^\-=`]/g

/** A text as receiptline takes it: as it is, whatever characters are in it. */
const plain = (text: string): string => text.replaceAll(special, '\\$&')

/**
 * Letters alone: what steers a printer or a screen is a blank, and what is not seen is nothing. What joins letters or says
 * where figures belong stays, what turns the whole line around does not.
 */
const letters = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replaceAll(/(?![\u200c-\u200f\u061c])\p{Cf}/gu, '')

/** How many columns of the paper a text takes: letters of East Asia and pictures are as wide as two. */
export const paperWidth = (text: string): number =>
  Array.from(text).reduce((sum, one) => sum + (wide.test(one) ? 2 : 1), 0)

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u

/** A text in lines of at most so many columns, broken between words where that is possible. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of letters(text).split(/\s+/u).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (paperWidth(longer) <= columns) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const letter of word) {
      if (paperWidth(line + letter) > columns) {
        lines.push(line)
        line = ''
      }
      line += letter
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** Writes the lines of a slip. */
export interface SlipPen {
  readonly t: TranslateServer
  /** A decimal amount as the readers write it. */
  readonly amount: (decimal: string) => string
  readonly moment: (when: string) => string
  /** Begins lines in two columns, the right one as wide as the amounts in it. */
  readonly amounts: () => string[]
  /** Ends them. */
  readonly wholeWidth: () => string[]
  readonly pair: (left: string, right: string) => string[]
  readonly centred: (text: string) => string[]
  readonly said: (text: string) => string[]
}

/** A pen for a place, and for amounts that need so much room. */
export function slipPen({ timezone, locale, columns }: SlipPlace, amounts: readonly string[]): SlipPen {
  const number = new Intl.NumberFormat(writtenLanguage(locale), {
    ...{ minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false },
  })
  const amount = (text: string): string => number.format(hundredths(text) / 100).replace('\u2212', '-')
  const right = Math.max(10, ...amounts.map((one) => amount(one).length))
  return {
    t: serverTranslator(locale),
    amount,
    moment: (when) => inWords(when, timezone, locale, { dateStyle: 'short', timeStyle: 'medium' }),
    amounts: () => [`{w:*,${right}}`],
    wholeWidth: () => ['{w:*}'],
    pair(left, text) {
      const parts = wrapped(left, columns - right - 1)
      // An amount is printed whatever it is for.
      if (parts.length === 0) parts.push('')
      return parts.map((part, index) => `${plain(part)} | ${index < parts.length - 1 ? '' : plain(text)}`)
    },
    centred: (text) => wrapped(text, columns).map(plain),
    said: (text) => wrapped(text, columns).map((line) => `${plain(line)} |`),
  }
}

/** A line across the paper. */
export const slipRule = '---'

/** A slip in letters that a font or a printer has: others are spelled with these. */
export const spelledSlip = (slip: Slip, covers: Coverage): Slip => ({
  ...slip,
  lines: slip.lines.map((line) => line.replaceAll(/[^ -~]+/gu, (run) => plain(printable(run, covers)))),
})
