import type { Page } from 'playwright-core'

/** One piece of text on a page, and how it stands out from what is behind it. */
export interface Contrast {
  readonly text: string
  /** From 1, invisible, to 21, black on white: the contrast ratio of WCAG 2. */
  readonly ratio: number
}

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

/** The contrast of every text in sight but that of disabled controls, from the colours that the browser computed. */
export async function contrasts(page: Page): Promise<readonly Contrast[]> {
  const session = await page.context().newCDPSession(page)
  const { documents, strings } = await session.send('DOMSnapshot.captureSnapshot', {
    computedStyles: ['color'],
    includeBlendedBackgroundColors: true,
    includeTextColorOpacities: true,
  })
  await session.detach()
  const [document] = documents
  if (!document) return []
  const { nodes, layout } = document
  const named = (index: number | undefined): string => strings[index ?? -1] ?? ''
  const isDisabled = (node: number): boolean => {
    if (node < 0) return false
    const names = (nodes.attributes?.[node] ?? []).filter((_, index) => index % 2 === 0)
    return names.some((name) => named(name) === 'disabled') || isDisabled(nodes.parentIndex?.[node] ?? -1)
  }
  return layout.nodeIndex.flatMap((node, index) => {
    const text = named(layout.text[index]).trim()
    const background = named(layout.blendedBackgroundColors?.[index])
    const [, , width = 0, height = 0] = layout.bounds[index] ?? []
    if (text === '' || background === '' || width <= 1 || height <= 1 || isDisabled(node)) return []
    const behind = colourOf(background)
    const [red, green, blue, alpha] = colourOf(named(layout.styles[index]?.[0]))
    const opacity = alpha * (layout.textColorOpacities?.[index] ?? 1)
    return [{ text, ratio: ratioOf(over([red, green, blue, opacity], behind), behind) }]
  })
}

function colourOf(css: string): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (css.match(/[\d.]+/g) ?? []).map(Number)
  if (!/^rgba?\(/.test(css)) throw new Error(`a colour of another kind: ${css}`)
  return [red, green, blue, alpha]
}

function over([red, green, blue, alpha]: Colour, behind: Colour): Colour {
  const mixed = [red, green, blue].map((part, index) => part * alpha + (behind[index] ?? 0) * (1 - alpha))
  return [mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0, 1]
}

function ratioOf(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance([red, green, blue]: Colour): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
