import {
  type Face,
  fontFamilies as families,
  registerFont,
  standardFonts as standard,
} from './font-families.ts'
import { type Coverage, printable, winAnsi } from './ticket-sheet-text.ts'
import { directionOfText, visualRuns } from './visual-runs.ts'

/** What pdfkit keeps of the font that is chosen, beyond what its types say. */
interface WithFont {
  readonly _font: {
    readonly ascender: number
    readonly font: { hasGlyphForCodePoint(code: number): boolean }
  }
}

/** How something is written. */
export interface Letters {
  readonly face: Face
  readonly size: number
  readonly color?: PDFKit.Mixins.ColorValue
}

/** Where a text is written, and how many lines it may have; a longer one ends in dots. */
export interface TextBox extends Letters {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly lines: number
  /** Lines are so many times as far from each other as usual. */
  readonly spacing?: number
  /** `start` is the side on which its language begins. */
  readonly align?: 'start' | 'left' | 'center' | 'right'
}

/** Where a line is written. */
interface LinePlace extends Letters {
  readonly left: number
  readonly top: number
  readonly base?: 'ltr' | 'rtl'
}

/** Letters of one font, next to each other. */
interface FontRun {
  readonly text: string
  readonly font: string
  readonly isRightToLeft: boolean
}

const eastAsian = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef`
/** What is not torn apart at the end of a line. */
const words = new RegExp(`\\s+|[${eastAsian}]|[^\\s${eastAsian}]+`, 'gu')
/** Joins letters or chooses their form, and is not drawn itself. */
const sticky = /^(?:\u200c|\u200d|\ufe0f)$/
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u

/**
 * Writes texts of any language on the pages of a PDF, in their directions: with the standard fonts of PDF where these
 * have every letter of all texts, else with a family that has many more and, where needed, with those of East Asia.
 */
export class TextWriter {
  readonly #document: PDFKit.PDFDocument
  readonly #isPlain: boolean

  /** All texts are given, so that they are all in one hand. */
  constructor(document: PDFKit.PDFDocument, texts: readonly (string | null)[]) {
    this.#document = document
    this.#isPlain = [...texts.join(' ').normalize('NFC')].every((one) => winAnsi(one) || /\s/.test(one))
  }

  /** Which characters can be written; others are spelled. */
  covers(face: Face): Coverage {
    return (character) => this.#fontOf(character, face) !== undefined
  }

  /** How high a line is. */
  lineHeight({ face, size }: Letters): number {
    this.#choose(this.#fonts(face)[0] ?? standard[face], size)
    return this.#document.currentLineHeight(true)
  }

  /** How wide a text is in one line. */
  width(text: string, letters: Letters): number {
    return this.#runs(text, letters.face).reduce((sum, run) => sum + this.#widthOf(run, letters.size), 0)
  }

  /** The lines of a text in a width, broken between words where that is possible. */
  wrap(text: string, width: number, letters: Letters): string[] {
    return text.split('\n').flatMap((paragraph) => {
      const lines: string[] = []
      let line = ''
      const fits = (some: string): boolean => this.width(some.trimEnd(), letters) <= width
      for (const word of printable(paragraph, this.covers(letters.face)).match(words) ?? []) {
        if (fits(line + word)) line += word
        else {
          if (line !== '') lines.push(line.trimEnd())
          line = ''
          for (const piece of fits(word) ? [word.trimStart()] : graphemes(word)) {
            if (line !== '' && !fits(line + piece)) {
              lines.push(line)
              line = ''
            }
            line += piece
          }
        }
      }
      return [...lines, line.trimEnd()]
    })
  }

  /** Writes one line with its left end at a place, in the direction of its paragraph. */
  line(text: string, { left, top, base = directionOfText(text), ...letters }: LinePlace): void {
    const { face, size, color = 'black' } = letters
    this.#choose(this.#fonts(face)[0] ?? standard[face], size)
    const baseline = top + this.#ascent(size)
    let x = left
    this.#document.fillColor(color)
    for (const run of this.#runs(text, face, base)) {
      this.#choose(run.font, size)
      this.#document.text(run.text, x, baseline - this.#ascent(size), { lineBreak: false, features: [] })
      x += this.#widthOf(run, size)
    }
  }

  /** Writes a text into a box; gives the height at which it ends. */
  box(text: string, { left, top, width, lines, align = 'start', spacing = 1, ...letters }: TextBox): number {
    const base = directionOfText(text)
    const all = this.wrap(text, width, letters)
    const shown = all.slice(0, lines)
    if (all.length > lines) shown[lines - 1] = this.#cut(`${all[lines - 1]}`, width, letters)
    const height = this.lineHeight(letters) * spacing
    const side = align === 'start' ? (base === 'rtl' ? 'right' : 'left') : align
    for (const [at, line] of shown.entries()) {
      const free = side === 'left' ? 0 : width - this.width(line, letters)
      const indent = side === 'center' ? free / 2 : free
      this.line(line, { left: left + indent, top: top + at * height, base, ...letters })
    }
    return top + shown.length * height
  }

  /** The largest size up to the one wished for in which a text fits into so many lines of a width. */
  fittingSize(
    text: string,
    { width, lines, ...letters }: Pick<TextBox, 'width' | 'lines'> & Letters,
  ): number {
    const widest = (size: number) =>
      Math.max(
        ...(printable(text, this.covers(letters.face)).match(/\S+/g) ?? ['']).map((one) =>
          this.width(one, { ...letters, size }),
        ),
      )
    let { size } = letters
    while (size > 5) {
      if (this.wrap(text, width, { ...letters, size }).length <= lines && widest(size) <= width) break
      size *= 0.93
    }
    return size
  }

  #cut(line: string, width: number, letters: Letters): string {
    const pieces = graphemes(line)
    while (pieces.length > 0 && this.width(`${pieces.join('')}…`, letters) > width) pieces.pop()
    return `${pieces.join('').trimEnd()}…`
  }

  #fonts(face: Face): readonly string[] {
    return this.#isPlain ? [standard[face]] : families[face]
  }

  #fontOf(character: string, face: Face): string | undefined {
    if (this.#isPlain) return winAnsi(character) ? standard[face] : undefined
    return families[face].find((font) => {
      this.#choose(font, 10)
      const { font: glyphs } = (this.#document as PDFKit.PDFDocument & WithFont)._font
      return [...character].every(
        (one) => sticky.test(one) || glyphs.hasGlyphForCodePoint(one.codePointAt(0) ?? 0),
      )
    })
  }

  #choose(font: string, size: number): void {
    if (!font.includes(':')) this.#document.font(font).fontSize(size)
    else {
      if (!this.#known.has(font)) registerFont(this.#document, font)
      this.#known.add(font)
      this.#document.font(font).fontSize(size)
    }
  }

  readonly #known = new Set<string>()

  /** The letters of a line from left to right, each stretch in a font that has them. */
  #runs(text: string, face: Face, base = directionOfText(text)): FontRun[] {
    return visualRuns(text, base).flatMap(({ text: run, isRightToLeft }) => {
      const parts: { text: string; font: string }[] = []
      for (const letter of graphemes(run)) {
        const part = parts.at(-1)
        // A blank stays with what is before it.
        const font = part && /^\s$/.test(letter) ? part.font : this.#fontOf(letter, face)
        if (part && (font === undefined || part.font === font)) part.text += letter
        else parts.push({ text: letter, font: font ?? this.#fonts(face)[0] ?? standard[face] })
      }
      return (isRightToLeft ? parts.toReversed() : parts).map((part) => ({
        ...part,
        isRightToLeft,
        text: drawn(part.text, isRightToLeft),
      }))
    })
  }

  #widthOf({ text, font }: FontRun, size: number): number {
    this.#choose(font, size)
    return this.#document.widthOfString(text, { features: [] })
  }

  #ascent(size: number): number {
    return ((this.#document as PDFKit.PDFDocument & WithFont)._font.ascender / 1000) * size
  }
}

/** Letters that run from right to left are turned by whoever shapes them; signs and figures between them are not. */
const drawn = (text: string, isRightToLeft: boolean): string =>
  isRightToLeft && !rightToLeft.test(text) ? graphemes(text).toReversed().join('') : text

const segmenter = new Intl.Segmenter('en')

const graphemes = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)
