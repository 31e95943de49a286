declare module 'fontkit' {
  /** A font that was read. */
  export interface Font {
    readonly postscriptName: string
    hasGlyphForCodePoint(code: number): boolean
    layout(text: string): unknown
  }
  export function create(file: Uint8Array): Font
}

declare namespace PDFKit.Mixins {
  interface PDFFont {
    /** pdfkit also takes a font that was read before. */
    registerFont(name: string, font: import('fontkit').Font): this
  }
}
