import { commands, transform } from 'receiptline'
import type { StoredReceipt } from '../../../schema/resources/drawer/receipt.ts'
import { paperWidth, type ReceiptSetting, receiptDescription } from './receipt-description.ts'

const encoding = 'multilingual'

/** A receipt as text, in lines of at most as many columns as the paper has. */
export const receiptText = (row: StoredReceipt, at: ReceiptSetting): string =>
  transform(receiptDescription(row, at), {
    ...{ cpl: at.columns, encoding, spacing: false },
    command: { ...commands.text, measureText: paperWidth },
  })

/** A receipt as a picture that needs nothing from elsewhere. */
export function receiptPicture(row: StoredReceipt, at: ReceiptSetting): string {
  const drawn = transform(receiptDescription(row, at), {
    ...{ cpl: at.columns, encoding, spacing: false },
    command: { ...commands.svg, measureText: paperWidth },
  })
  return drawn
    .replace(/<style[^>]*>.*?<\/style>/s, '')
    .replace(/<defs>.*?<\/defs>/s, '<rect width="100%" height="100%" fill="#fff"/>')
    .replace(
      "'Courier Prime', 'Courier New', 'Courier', monospace",
      "'DejaVu Sans Mono', 'Courier New', monospace",
    )
    .replaceAll(/<text([^>]*)>((?:<tspan x="[\d.]+">[^<]*<\/tspan>)+)<\/text>/g, asOneRun)
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u

/** Letters that are written from right to left, or joined, are placed by whoever draws the whole line, not one by one. */
function asOneRun(whole: string, attributes: string, spans: string): string {
  if (!rightToLeft.test(spans)) return whole
  const letters = [...spans.matchAll(/<tspan x="([\d.]+)">([^<]*)<\/tspan>/g)]
  const first = Number(letters[0]?.[1])
  const text = letters.map(([, , letter]) => letter).join('')
  return `<text${attributes} x="${first - letterWidth / 2}" text-anchor="start" direction="ltr">${text}</text>`
}

const letterWidth = 12
