import type { Page } from 'playwright-core'

/** One piece of text on a page, and how it stands out from what is behind it. */
interface Contrast {
  readonly text: string
  /** From 1, invisible, to 21, black on white: the contrast ratio of WCAG 2. */
  readonly ratio: number
}

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

const styles = ['color', 'background-color', 'opacity']

/**
 * The contrast of every text in sight but that of disabled controls, from the styles that the browser computed:
 * what is behind a text is the backgrounds of all it is inside of, laid over each other.
 */
export async function contrasts(page: Page): Promise<readonly Contrast[]> {
  const session = await page.context().newCDPSession(page)
  const { documents, strings } = await session.send('DOMSnapshot.captureSnapshot', { computedStyles: styles })
  await session.detach()
  const [document] = documents
  if (!document) return []
  const { nodes, layout } = document
  const named = (index: number | undefined): string => strings[index ?? -1] ?? ''
  const rowOf = new Map(layout.nodeIndex.map((node, row) => [node, row]))
  const styleOf = (node: number): readonly string[] => (layout.styles[rowOf.get(node) ?? -1] ?? []).map(named)
  const lineage = (node: number): readonly number[] =>
    node < 0 ? [] : [...lineage(nodes.parentIndex?.[node] ?? -1), node]
  const isDisabled = (node: number): boolean =>
    (nodes.attributes?.[node] ?? []).some((name, index) => index % 2 === 0 && named(name) === 'disabled')

  return layout.nodeIndex.flatMap((node, row) => {
    const text = named(layout.text[row]).trim()
    const [, , width = 0, height = 0] = layout.bounds[row] ?? []
    const parents = lineage(nodes.parentIndex?.[node] ?? -1)
    if (text === '' || width <= 1 || height <= 1 || parents.some(isDisabled)) return []
    const laid = parents.map(styleOf).filter((style) => style.length > 0)
    const behind = laid.reduce((below, style) => over(colourOf(style[1] ?? ''), below), white)
    const opacity = laid.reduce((all, style) => all * Number(style[2]), 1)
    const [red, green, blue, alpha] = colourOf(laid.at(-1)?.[0] ?? '')
    return [{ text, ratio: ratioOf(over([red, green, blue, alpha * opacity], behind), behind) }]
  })
}

const white: Colour = [255, 255, 255, 1]

function colourOf(css: string): Colour {
  if (!/^rgba?\(/.test(css)) throw new Error(`a colour of another kind: "${css}"`)
  const [red = 0, green = 0, blue = 0, alpha = 1] = (css.match(/[\d.]+/g) ?? []).map(Number)
  return [red, green, blue, alpha]
}

function over([red, green, blue, alpha]: Colour, below: Colour): Colour {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map(
    (part, index) => part * alpha + (below[index] ?? 0) * (1 - alpha),
  )
  return [r, g, b, 1]
}

function ratioOf(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
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
