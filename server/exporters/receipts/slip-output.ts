import { commands, transform } from 'receiptline'
import { paperWidth, type Slip } from './slip.ts'
import { slipBytes } from './slip-bytes.ts'
import { slipPdf, slipText } from './slip-pdf.ts'

const encoding = 'multilingual'

/** A slip as a picture that needs nothing from elsewhere. */
function slipPicture({ lines, columns }: Slip): string {
  const drawn = transform(lines.join('\n'), {
    ...{ cpl: columns, encoding, spacing: false },
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

interface SlipOutput {
  readonly type: string
  readonly make: (slip: Slip) => string | Buffer | Promise<Uint8Array>
}

/** The ways in which a slip is given out. */
export const slipOutputs = {
  text: { type: 'text/plain; charset=utf-8', make: slipText },
  picture: { type: 'image/svg+xml', make: slipPicture },
  pdf: { type: 'application/pdf', make: (slip) => slipPdf(slip) },
  escpos: { type: 'application/octet-stream', make: (slip) => slipBytes(slip) },
} as const satisfies Readonly<Record<string, SlipOutput>>

export type SlipFormat = keyof typeof slipOutputs

/** All of them. */
export const slipFormats = ['text', 'picture', 'pdf', 'escpos'] as const satisfies readonly SlipFormat[]
