import { baseLanguage } from './multilingual.ts'

/** A number of at least one digit, written as a machine would: no separators but a point. */
const plainNumber = /^([+-]?)0*(\d*)(?:\.(\d*))?$/

/**
 * A decimal number as text (`2.56`, `-0.5`, `12`) from one that is written with a point and without separators.
 * `undefined` when it is not a number.
 */
export function readPlainNumber(text: string): string | undefined {
  const match = plainNumber.exec(text)
  if (match === null || !/\d/.test(text)) return undefined
  const [, sign, whole, decimals] = match
  const digits = `${whole || '0'}${decimals ? `.${decimals}` : ''}`
  return sign === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits
}

/**
 * A decimal number as text from what people type: with blanks or apostrophes between thousands, with a comma or a
 * point. Of both, the last one is the decimal separator; one that comes several times separates thousands; a single
 * point is always decimal, and a single comma too, except before exactly three digits in English.
 */
export function readNumber(text: string, locale: string): string | undefined {
  const typed = text.replace(/[\s'’]/g, '')
  const comma = typed.lastIndexOf(',')
  const point = typed.lastIndexOf('.')
  const decimal = comma > point ? ',' : '.'
  const single = typed.indexOf(decimal) === typed.lastIndexOf(decimal)
  const englishThousands = baseLanguage(locale) === 'en' && /^[+-]?[1-9]\d{0,2},\d{3}$/.test(typed)
  if (!single || englishThousands)
    return grouped(typed, decimal) ? readPlainNumber(typed.replaceAll(decimal, '')) : undefined
  const other = decimal === ',' ? '.' : ','
  const [whole = '', decimals] = typed.split(decimal)
  if (whole.includes(other) && !grouped(whole, other)) return undefined
  return readPlainNumber(
    [whole.replaceAll(other, ''), decimals].filter((part) => part !== undefined).join('.'),
  )
}

/** Whether a separator stands where thousands are separated. */
function grouped(text: string, separator: string): boolean {
  const [first = '', ...others] = text.split(separator)
  return /^[+-]?\d{1,3}$/.test(first) && others.every((group) => /^\d{3}$/.test(group))
}
