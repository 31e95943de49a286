/** What is used of the package, which has no declarations. */
declare module 'fontkit' {
  /** A font that was read. */
  export interface Font {
    hasGlyphForCodePoint(code: number): boolean
  }

  export function create(file: Uint8Array): Font
}
