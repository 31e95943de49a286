/** How bright a colour such as #7a1fd1 is, between black and white, as WCAG says. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** What is written on a colour, black or white: one of both always has a contrast of 4.5 and more. */
export const inkOn = (color: string): string => (luminance(color) > 0.179 ? '#000000' : '#ffffff')

/** The colour of guests' screens where the organizer has none. */
export const usualColor = '#0a55ad'
