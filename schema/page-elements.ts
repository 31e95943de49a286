import type { Json } from './json-schema.ts'

/** An element of a printed page: what it is and where, in millimetres from the lower left corner. */
export interface PageElement {
  readonly type: string
  readonly content?: string
  readonly [name: string]: unknown
}

const measure: Json = { type: ['number', 'string'], pattern: '^-?[0-9]+(\\.[0-9]+)?$' }
const words: Json = { type: 'string', maxLength: 5000 }
const flag: Json = { type: 'boolean' }
const colour: Json = {
  type: 'array',
  items: { type: 'number', minimum: 0, maximum: 255 },
  minItems: 3,
  maxItems: 4,
}

const placed = { type: words, page: { type: 'number' }, left: measure, bottom: measure }
const saying = { content: words, text: words, text_i18n: { type: 'object', additionalProperties: words } }
const written = {
  ...{ ...placed, ...saying, width: measure, locale: { type: ['string', 'null'], maxLength: 32 } },
  ...{ fontsize: measure, lineheight: measure, fontfamily: words, bold: flag, italic: flag },
  ...{ align: { type: 'string', enum: ['left', 'center', 'right'] }, color: colour, rotation: measure },
}
const writtenAlways = [
  'left',
  'bottom',
  'content',
  'width',
  'fontsize',
  'fontfamily',
  'bold',
  'italic',
  'align',
  'color',
]

const element = (properties: Readonly<Record<string, Json>>, required: readonly string[]): Json => ({
  type: 'object',
  properties,
  required: ['type', ...required],
  additionalProperties: false,
})

/** What each type of element of a page holds. */
export const pageElements: Readonly<Record<string, Json>> = {
  barcodearea: element({ ...placed, ...saying, size: measure, nowhitespace: flag, color: colour }, [
    'left',
    'bottom',
    'size',
  ]),
  imagearea: element({ ...placed, content: words, width: measure, height: measure }, [
    'left',
    'bottom',
    'content',
    'width',
    'height',
  ]),
  textarea: element({ ...written, downward: flag }, writtenAlways),
  textcontainer: element(
    {
      ...{ ...written, height: measure, autoresize: flag, splitlongwords: flag },
      verticalalign: { type: 'string', enum: ['top', 'middle', 'bottom'] },
    },
    [...writtenAlways, 'height', 'verticalalign'],
  ),
  poweredby: element({ ...placed, content: { type: 'string', enum: ['dark', 'white'] }, size: measure }, [
    'left',
    'bottom',
    'content',
    'size',
  ]),
}
