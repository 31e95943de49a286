/** The relative luminance of a colour `#rrggbb`: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const share = Number.parseInt(color.slice(from, from + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Black or white, whichever is read better on a colour `#rrggbb`. */
export const inkOn = (color: string): '#000000' | '#ffffff' =>
  // Where both contrasts are the same: (l + 0.05)² = 1.05 × 0.05.
  luminance(color) > 0.179 ? '#000000' : '#ffffff'
